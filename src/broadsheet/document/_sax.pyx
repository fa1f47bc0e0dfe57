# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled parse: libxml2 reads the page, and its events fill the columns, without a tree and without the GIL.

The parser is the one inside lxml's own library, which gives the same events as it gives to lxml. `_pywalk` is the
reference: it produces the same columns from lxml's tree.
"""

from libc.limits cimport INT_MAX
from libc.stdint cimport int32_t, uint8_t, uint32_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset, strcmp, strlen

from broadsheet.document._run_counts cimport S_CHARACTERS, S_LINK_CHARACTERS, SUM_COLUMNS, count_run
from broadsheet.document._tables cimport (
    DONE, NO_MEMORY, TOO_DEEP, TOO_LONG, Buffer, Table, append, append_bytes, release_table, reserve, rows_of, text_of,
)

import ctypes

import numpy as np
from lxml import etree

from broadsheet.document import _attribute_names, characters, tags

cdef extern from "libxml/HTMLparser.h" nogil:
    ctypedef unsigned char xmlChar
    ctypedef struct xmlError:
        pass
    ctypedef struct htmlParserCtxt:
        int errNo
    ctypedef struct htmlSAXHandler:
        void (*startElement)(void*, const xmlChar*, const xmlChar**) noexcept
        void (*endElement)(void*, const xmlChar*) noexcept
        void (*characters)(void*, const xmlChar*, int) noexcept
        void (*comment)(void*, const xmlChar*) noexcept
        void (*processingInstruction)(void*, const xmlChar*, const xmlChar*) noexcept
        void (*serror)(void*, const xmlError*) noexcept
        unsigned int initialized
    enum:
        XML_SAX2_MAGIC
        XML_ERR_NO_MEMORY
        HTML_PARSE_NODEFDTD
        HTML_PARSE_NOERROR
        HTML_PARSE_NOWARNING
        HTML_PARSE_HUGE

ctypedef htmlParserCtxt* (*NewParser)(const htmlSAXHandler*, void*) noexcept nogil
ctypedef void* (*ReadMemory)(htmlParserCtxt*, const char*, int, const char*, const char*, int) noexcept nogil
ctypedef void (*UseParser)(htmlParserCtxt*) noexcept nogil
ctypedef int (*IsBoolean)(const xmlChar*) noexcept nogil

cdef object LIBRARY = ctypes.CDLL(etree.__file__)

cdef void* function(str name) except NULL:
    """Return a function of the libxml2 that lxml uses; an `AttributeError` says that it is hidden."""
    return <void*> <uintptr_t> ctypes.cast(getattr(LIBRARY, name), ctypes.c_void_p).value

cdef NewParser new_parser = <NewParser> function("htmlNewSAXParserCtxt")
cdef ReadMemory read_memory = <ReadMemory> function("htmlCtxtReadMemory")
cdef UseParser stop_parser = <UseParser> function("xmlStopParser")
cdef UseParser free_parser = <UseParser> function("htmlFreeParserCtxt")
cdef IsBoolean is_boolean = <IsBoolean> function("htmlIsBooleanAttr")

cdef enum:
    # The columns of each table, in the order in which `Parse.columns` returns them.
    N_TAG, N_PARENT, N_END, N_DEPTH, N_TEXT_START, N_TEXT_END, N_PIECE_START, N_PIECE_END, N_ATTRIBUTES,
    NODE_COLUMNS
    P_OWNER = 0
    P_SLOT, P_START, P_END, P_LINK, P_BLOCK, P_LINE, PIECE_COLUMNS
    L_NODE = 0
    L_START, L_END, L_STYLE, LINK_COLUMNS
    A_NAME = 0
    A_START, A_END, ATTRIBUTE_COLUMNS
    K_NODE = 0
    K_START, K_END, KEPT_COLUMNS

cdef enum:
    BLOCK_FLAG = 1
    BREAK_FLAG = 2
    UNREAD_FLAG = 4
    LINK_FLAG = 8

cdef enum:
    NAME_SLOTS = 1024
    POINTER_SLOTS = 512
    UNKNOWN_TAG = 0
    COMMENT_TAG = 1
    OTHER_ATTRIBUTE = 0

cdef int32_t SCRIPT_TAG = tags.CODES["script"]
cdef int32_t CLASS_ATTRIBUTE = _attribute_names.CODES["class"]
cdef int32_t HREF_ATTRIBUTE = _attribute_names.CODES["href"]
cdef int32_t TYPE_ATTRIBUTE = _attribute_names.CODES["type"]

cdef const uint8_t[::1] CLASS_TABLE = characters.classes()
cdef const uint8_t[::1] FLAG_TABLE = tags.FLAGS

cdef struct Names:
    # The codes of names in a hash table.
    const char* name[NAME_SLOTS]
    int32_t code[NAME_SLOTS]

cdef struct SeenNames:
    # The codes of names by their address: libxml2 interns names, so most are found here.
    const void* name[POINTER_SLOTS]
    int32_t code[POINTER_SLOTS]

# The bytes that the tables point to.
cdef list TAG_BYTES = [name.encode() for name in tags.NAMES]
cdef list ATTRIBUTE_BYTES = [name.encode() for name in _attribute_names.NAMES]
cdef Names TAG_CODES
cdef Names ATTRIBUTE_CODES

cdef enum:
    # The 32-bit FNV-1a hash, as in `_pywalk`.
    HASH_START = 2166136261
    HASH_FACTOR = 16777619

cdef inline bint is_space(char byte) noexcept nogil:
    return byte == 32 or 9 <= byte <= 13 and byte != 11

cdef inline uint32_t hash_name(const char* name) noexcept nogil:
    cdef uint32_t value = HASH_START
    while name[0]:
        value = (value ^ <uint8_t> name[0]) * HASH_FACTOR
        name += 1
    return value

cdef void fill(Names* names, list texts):
    cdef uint32_t slot
    memset(names, 0, sizeof(Names))
    for code, name in enumerate(texts):
        slot = hash_name(name) % NAME_SLOTS
        while names.name[slot] != NULL:
            slot = (slot + 1) % NAME_SLOTS
        names.name[slot] = name
        names.code[slot] = code

fill(&TAG_CODES, TAG_BYTES)
fill(&ATTRIBUTE_CODES, ATTRIBUTE_BYTES)

cdef int32_t look_up(const Names* names, const char* name) noexcept nogil:
    """Return the code of a name, 0 if it has none of its own."""
    cdef uint32_t slot = hash_name(name) % NAME_SLOTS
    while names.name[slot] != NULL:
        if strcmp(names.name[slot], name) == 0:
            return names.code[slot]
        slot = (slot + 1) % NAME_SLOTS
    return 0

cdef inline int32_t code_of(SeenNames* seen, const Names* names, const void* name) noexcept nogil:
    cdef uintptr_t address = <uintptr_t> name
    cdef uint32_t slot = (address >> 3 ^ address >> 12) % POINTER_SLOTS
    if seen.name[slot] != name:
        seen.name[slot] = name
        seen.code[slot] = look_up(names, <const char*> name)
    return seen.code[slot]

cdef struct Level:
    # What applies to everything inside the open element at one depth.
    int32_t node
    int32_t link
    int32_t block
    bint read
    bint data  # whether it is JSON-LD

cdef struct Marks:
    # The attributes that say what an element is; `href` is NULL if it has none.
    const char* href
    const char* classes
    const char* type

cdef struct State:
    Table nodes
    Table pieces
    Table sums
    Table links
    Table attributes
    Table unknown
    Table scripts
    Buffer text
    Buffer hrefs
    Buffer values
    Buffer names
    Buffer json
    htmlParserCtxt* parser
    Level* levels  # the open elements
    int depth
    int deepest
    int status
    int32_t line
    int32_t owner
    int32_t slot
    Py_ssize_t run_start
    const uint8_t* classes
    const uint8_t* flags
    SeenNames tags
    SeenNames attribute_names

cdef int end_run(State* state, const Level* level) noexcept nogil:
    """Add a piece for the text since the last tag, unless it is blank."""
    cdef int32_t counts[SUM_COLUMNS]
    cdef Py_ssize_t row
    cdef int column
    if state.text.size == state.run_start:
        return DONE
    count_run(
        <const uint8_t*> state.text.data + state.run_start, <const uint8_t*> state.text.data + state.text.size,
        state.classes, counts,
    )
    if counts[S_CHARACTERS]:
        counts[S_LINK_CHARACTERS] = counts[S_CHARACTERS] if level.link >= 0 else 0
        if reserve(&state.pieces) or reserve(&state.sums):
            return NO_MEMORY
        row = state.pieces.size
        state.pieces.column[P_OWNER][row] = state.owner
        state.pieces.column[P_SLOT][row] = state.slot
        state.pieces.column[P_START][row] = state.run_start
        state.pieces.column[P_END][row] = state.text.size
        state.pieces.column[P_LINK][row] = level.link
        state.pieces.column[P_BLOCK][row] = level.block
        state.pieces.column[P_LINE][row] = state.line
        state.pieces.size += 1
        row = state.sums.size
        for column in range(SUM_COLUMNS):
            state.sums.column[column][row] = state.sums.column[column][row - 1] + counts[column]
        state.sums.size += 1
    state.run_start = state.text.size
    return DONE

cdef inline const char* value_of(const xmlChar* name, const xmlChar* value) noexcept nogil:
    """Return the value that lxml gives to an attribute: the name if it is boolean and stands alone."""
    if value != NULL:
        return <const char*> value
    if is_boolean(name):
        return <const char*> name
    return b""

cdef int add_attributes(State* state, const xmlChar** pairs, Marks* marks) noexcept nogil:
    """Add the attributes of an element, and note those that say what it is."""
    cdef Table* table = &state.attributes
    cdef const char* value
    cdef int32_t code
    cdef int status = DONE
    while pairs != NULL and pairs[0] != NULL:
        code = code_of(&state.attribute_names, &ATTRIBUTE_CODES, pairs[0])
        value = value_of(pairs[0], pairs[1])
        if code == HREF_ATTRIBUTE:
            marks.href = value
        elif code == CLASS_ATTRIBUTE:
            marks.classes = value
        elif code == TYPE_ATTRIBUTE:
            marks.type = value
        elif code == OTHER_ATTRIBUTE:
            status = append_bytes(&state.values, <const char*> pairs[0], strlen(<const char*> pairs[0]) + 1)
        if status or reserve(table):
            return status or NO_MEMORY
        table.column[A_NAME][table.size] = code
        table.column[A_START][table.size] = state.values.size
        status = append(&state.values, value)
        table.column[A_END][table.size] = state.values.size
        table.size += 1
        if status:
            return status
        pairs += 2
    return DONE

cdef int keep(Table* table, int32_t node, Buffer* buffer, const char* text) noexcept nogil:
    """Add a node whose text is kept, with the beginning of its text."""
    cdef int status
    if reserve(table):
        return NO_MEMORY
    table.column[K_NODE][table.size] = node
    table.column[K_START][table.size] = buffer.size
    status = append(buffer, text)
    table.column[K_END][table.size] = buffer.size
    table.size += 1
    return status

cdef bint is_json_ld(const char* kind) noexcept nogil:
    """Tell whether the type of a script has `ld+json` in it, in any case."""
    cdef const char* wanted = b"ld+json"
    cdef int length
    while kind[0]:
        length = 0
        while wanted[length] and (kind[length] | 32 if 65 <= kind[length] <= 90 else kind[length]) == wanted[length]:
            length += 1
        if not wanted[length]:
            return True
        kind += 1
    return False

cdef inline int32_t style_of(const char* classes) noexcept nogil:
    """Return a hash of an element's first class."""
    cdef uint32_t value = HASH_START
    while is_space(classes[0]):
        classes += 1
    while classes[0] and not is_space(classes[0]):
        value = (value ^ <uint8_t> classes[0]) * HASH_FACTOR
        classes += 1
    return <int32_t> value

cdef int add_link(State* state, int32_t node, const char* href, int32_t style) noexcept nogil:
    cdef Py_ssize_t row = state.links.size
    cdef int status
    if reserve(&state.links):
        return NO_MEMORY
    state.links.column[L_NODE][row] = node
    state.links.column[L_START][row] = state.hrefs.size
    status = append(&state.hrefs, href)
    state.links.column[L_END][row] = state.hrefs.size
    state.links.column[L_STYLE][row] = style
    state.links.size += 1
    return status

cdef int open_node(State* state, const xmlChar* name, const xmlChar** attributes) noexcept nogil:
    """Add a row for an element, or for a comment if `name` is NULL, and set up the level inside it."""
    cdef int depth = state.depth
    cdef Py_ssize_t row = state.nodes.size
    cdef Level* level = &state.levels[depth]
    cdef Level* outer = &state.levels[depth - 1] if depth else NULL
    cdef int32_t tag = COMMENT_TAG
    cdef uint8_t flags = 0
    cdef Marks marks
    cdef int status = DONE
    if reserve(&state.nodes):
        return NO_MEMORY
    marks.href, marks.classes, marks.type = NULL, b"", b""
    state.nodes.column[N_ATTRIBUTES][row] = state.attributes.size
    level.node = row
    level.link = outer.link if outer != NULL else -1
    level.block = outer.block if outer != NULL else 0
    level.read = outer.read if outer != NULL else True
    level.data = False
    if name != NULL:
        tag = code_of(&state.tags, &TAG_CODES, name)
        flags = state.flags[tag]
        status = add_attributes(state, attributes, &marks)
        if not status and tag == UNKNOWN_TAG:
            status = keep(&state.unknown, row, &state.names, <const char*> name)
        elif not status and tag == SCRIPT_TAG and is_json_ld(marks.type):
            level.data = True
            status = keep(&state.scripts, row, &state.json, b"")
        if status:
            return status
    if flags:
        if flags & BLOCK_FLAG:
            level.block = row
            state.line += 1
        elif flags & BREAK_FLAG:
            state.line += 1
        elif flags & UNREAD_FLAG:
            level.read = False
        elif flags & LINK_FLAG and marks.href != NULL:
            level.link = row
            status = add_link(state, row, marks.href, style_of(marks.classes))
            if status:
                return status
    state.nodes.column[N_TAG][row] = tag
    state.nodes.column[N_PARENT][row] = outer.node if outer != NULL else -1
    state.nodes.column[N_DEPTH][row] = depth
    state.nodes.column[N_TEXT_START][row] = state.text.size
    state.nodes.column[N_PIECE_START][row] = state.pieces.size
    state.nodes.size += 1
    state.owner = row
    state.slot = 0
    return DONE

cdef inline void close_node(State* state) noexcept nogil:
    cdef int32_t row = state.levels[state.depth].node
    state.nodes.column[N_END][row] = state.nodes.size
    state.nodes.column[N_TEXT_END][row] = state.text.size
    state.nodes.column[N_PIECE_END][row] = state.pieces.size
    if state.flags[state.nodes.column[N_TAG][row]] & BLOCK_FLAG:
        state.line += 1
    state.owner = row
    state.slot = 1

cdef inline bint is_over(const State* state) noexcept nogil:
    """Tell whether nothing that follows is part of the page: it failed, or its root was closed."""
    return state.status != DONE or (state.depth == 0 and state.nodes.size > 0)

cdef int add_node(State* state, const xmlChar* name, const xmlChar** attributes) noexcept nogil:
    """End the run of text before a node, and open it."""
    if state.depth and end_run(state, &state.levels[state.depth - 1]):
        return NO_MEMORY
    if state.depth >= state.deepest:
        return TOO_DEEP
    return open_node(state, name, attributes)

cdef inline void settle(State* state, int status) noexcept nogil:
    """Keep the first failure; the parser need not read on after it."""
    if status != DONE:
        state.status = status
        stop_parser(state.parser)

cdef void start_element(void* data, const xmlChar* name, const xmlChar** attributes) noexcept nogil:
    cdef State* state = <State*> data
    if is_over(state):
        return
    settle(state, add_node(state, name, attributes))
    state.depth += 1

cdef void end_element(void* data, const xmlChar* name) noexcept nogil:
    cdef State* state = <State*> data
    if is_over(state):
        return
    state.depth -= 1
    settle(state, end_run(state, &state.levels[state.depth]))
    close_node(state)

cdef void add_comment(void* data, const xmlChar* text) noexcept nogil:
    cdef State* state = <State*> data
    if is_over(state) or state.depth == 0:
        return
    settle(state, add_node(state, NULL, NULL))
    if state.status == DONE:
        close_node(state)

cdef void add_instruction(void* data, const xmlChar* target, const xmlChar* text) noexcept nogil:
    add_comment(data, text)

cdef void add_text(void* data, const xmlChar* text, int length) noexcept nogil:
    cdef State* state = <State*> data
    cdef const Level* level
    if is_over(state) or state.depth == 0:
        return
    level = &state.levels[state.depth - 1]
    if level.read:
        settle(state, append_bytes(&state.text, <const char*> text, length))
    elif level.data:
        settle(state, append_bytes(&state.json, <const char*> text, length))
        state.scripts.column[K_END][state.scripts.size - 1] = state.json.size

cdef void ignore_error(void* data, const xmlError* error) noexcept nogil:
    """Pages are full of errors; without this, libxml2 would print them."""

cdef int read_page(State* state, const char* page, int length) noexcept nogil:
    """Let libxml2 read a page in UTF-8, and fill the columns from its events."""
    cdef htmlSAXHandler handler
    memset(&handler, 0, sizeof(handler))
    handler.startElement = start_element
    handler.endElement = end_element
    handler.characters = add_text
    handler.comment = add_comment
    handler.processingInstruction = add_instruction
    handler.serror = ignore_error
    handler.initialized = XML_SAX2_MAGIC
    state.parser = new_parser(&handler, state)
    if state.parser == NULL:
        return NO_MEMORY
    read_memory(
        state.parser, page, length, NULL, b"UTF-8",
        HTML_PARSE_NODEFDTD | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_HUGE,
    )
    if state.status == DONE and state.parser.errNo == XML_ERR_NO_MEMORY:
        state.status = NO_MEMORY
    free_parser(state.parser)
    return state.status

cdef class Parse:
    """One page as the parser saw it."""

    cdef State state
    #: Whether parsing ended at an element below the deepest level.
    cdef readonly bint too_deep
    #: Whether the page has no element.
    cdef readonly bint empty

    def __init__(self, bytes page not None, int deepest):
        """Parse a page in UTF-8, down to `deepest` levels."""
        cdef State* state = &self.state
        cdef const char* data = page
        cdef Py_ssize_t length = len(page)
        cdef int status = TOO_LONG
        cdef int column
        state.nodes.columns = NODE_COLUMNS
        state.pieces.columns = PIECE_COLUMNS
        state.sums.columns = SUM_COLUMNS
        state.links.columns = LINK_COLUMNS
        state.attributes.columns = ATTRIBUTE_COLUMNS
        state.unknown.columns = state.scripts.columns = KEPT_COLUMNS
        state.classes = &CLASS_TABLE[0]
        state.flags = &FLAG_TABLE[0]
        state.deepest = deepest
        state.levels = <Level*> malloc((deepest + 1) * sizeof(Level))
        if state.levels == NULL or reserve(&state.sums):
            raise MemoryError
        for column in range(SUM_COLUMNS):
            state.sums.column[column][0] = 0
        state.sums.size = 1
        if length <= INT_MAX:
            with nogil:
                status = read_page(state, data, <int> length)
        if status == NO_MEMORY:
            raise MemoryError
        if status == TOO_LONG:
            raise OverflowError("a page, and the text in it, must not exceed 2 GiB")
        self.too_deep = status == TOO_DEEP
        self.empty = state.nodes.size == 0

    def __dealloc__(self):
        release(&self.state)

    def columns(self):
        """Return the tables of the page and their texts.

        The tables are nodes, pieces, sums, links, attributes, unknown elements and JSON-LD, each an array with a row per
        column. The texts are those of pieces, links, attributes, unknown elements and JSON-LD.
        """
        cdef State* state = &self.state
        tables = (
            columns_of(&state.nodes), columns_of(&state.pieces), columns_of(&state.sums), columns_of(&state.links),
            columns_of(&state.attributes), columns_of(&state.unknown), columns_of(&state.scripts),
        )
        texts = (
            text_of(&state.text), text_of(&state.hrefs), text_of(&state.values), text_of(&state.names),
            text_of(&state.json),
        )
        return tables, texts

cdef columns_of(Table* table):
    # An array over bytes is read-only, as columns shared by threads should be.
    return np.frombuffer(rows_of(table), np.int32).reshape(table.columns, table.size)

cdef void release(State* state) noexcept nogil:
    release_table(&state.nodes)
    release_table(&state.pieces)
    release_table(&state.sums)
    release_table(&state.links)
    release_table(&state.attributes)
    release_table(&state.unknown)
    release_table(&state.scripts)
    free(state.text.data)
    free(state.hrefs.data)
    free(state.values.data)
    free(state.names.data)
    free(state.json.data)
    free(state.levels)
