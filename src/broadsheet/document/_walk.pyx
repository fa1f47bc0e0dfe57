# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled walk: turns lxml's C tree into columns in one pass, without the GIL.

It only reads structs, so it is not linked with libxml2. `pywalk` is the reference: it produces the same columns.
"""

cimport lxml.includes.etreepublic as cetree
from libc.stdint cimport int32_t, uint8_t, uint32_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset, strcmp, strlen
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE, XML_COMMENT_NODE, XML_ELEMENT_NODE, XML_PI_NODE, XML_TEXT_NODE, xmlAttr, xmlNode,
)

from broadsheet.document._tables cimport (
    DONE, NO_MEMORY, TOO_DEEP, TOO_LONG, Buffer, Table, append, append_bytes, release_table, reserve, rows_of, text_of,
)

import numpy as np

from broadsheet.document import attribute_names, characters, tags

cetree.import_lxml__etree()

cdef enum:
    # The columns of each table, in the order in which `walk` returns them.
    N_TAG, N_PARENT, N_END, N_DEPTH, N_TEXT_START, N_TEXT_END, N_PIECE_START, N_PIECE_END, N_ATTRIBUTES,
    NODE_COLUMNS
    P_OWNER = 0
    P_SLOT, P_START, P_END, P_LINK, P_BLOCK, P_LINE, PIECE_COLUMNS
    S_CHARACTERS = 0
    S_WORDS, S_LETTERS, S_UPPER, S_DIGITS, S_PUNCTUATION, S_LINK_CHARACTERS, SUM_COLUMNS
    L_NODE = 0
    L_START, L_END, L_STYLE, LINK_COLUMNS
    A_NAME = 0
    A_START, A_END, ATTRIBUTE_COLUMNS
    K_NODE = 0
    K_START, K_END, KEPT_COLUMNS

cdef enum:
    # The classes of `characters`, as compile-time constants so that the switch over them becomes a jump table.
    SYMBOL, SPACE, LETTER, UPPER, MARK, DIGIT, PUNCTUATION, APOSTROPHE, JOINER, UNSPACED, INVISIBLE, CLASSES

cdef enum:
    OUTSIDE, INSIDE, AFTER_APOSTROPHE, AFTER_JOINER

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
cdef int32_t CLASS_ATTRIBUTE = attribute_names.CODES["class"]
cdef int32_t HREF_ATTRIBUTE = attribute_names.CODES["href"]
cdef int32_t TYPE_ATTRIBUTE = attribute_names.CODES["type"]

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
cdef list ATTRIBUTE_BYTES = [name.encode() for name in attribute_names.NAMES]
cdef Names TAG_CODES
cdef Names ATTRIBUTE_CODES

cdef enum:
    # The 32-bit FNV-1a hash, as in `pywalk`.
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
    Level* levels
    int32_t line
    int32_t owner
    int32_t slot
    Py_ssize_t run_start
    const uint8_t* classes
    const uint8_t* flags
    SeenNames tags
    SeenNames attribute_names

cdef void count_run(const State* walk, int32_t* counts) noexcept nogil:
    """Count the run of text that just ended, as `characters.count_characters` does."""
    cdef const uint8_t* at = <const uint8_t*> walk.text.data + walk.run_start
    cdef const uint8_t* end = <const uint8_t*> walk.text.data + walk.text.size
    cdef int32_t tally[CLASSES]
    cdef int32_t words = 0
    cdef int32_t visible = 0
    cdef int32_t spaces = 0
    cdef uint32_t code
    cdef uint8_t kind
    cdef int k
    cdef int state = OUTSIDE
    cdef bint pending_space = False
    cdef bint last_was_digit = False
    cdef bint begun = False
    memset(tally, 0, sizeof(tally))
    while at < end:
        code = at[0]
        if code < 0x80:
            at += 1
        elif code < 0xE0:
            code = (code & 0x1F) << 6 | at[1] & 0x3F
            at += 2
        elif code < 0xF0:
            code = (code & 0x0F) << 12 | (at[1] & 0x3F) << 6 | at[2] & 0x3F
            at += 3
        else:
            code = (code & 0x07) << 18 | (at[1] & 0x3F) << 12 | (at[2] & 0x3F) << 6 | at[3] & 0x3F
            at += 4
        kind = walk.classes[code]
        if kind == LETTER:
            # The most common case first: a letter inside a word.
            if state == INSIDE:
                tally[LETTER] += 1
                while at < end and at[0] < 0x80 and walk.classes[at[0]] == LETTER:
                    tally[LETTER] += 1
                    at += 1
                last_was_digit = False
                continue
        elif kind == SPACE:
            pending_space = True
            state = OUTSIDE
            continue
        elif kind == INVISIBLE:
            continue
        if pending_space:
            # White space before the first visible character does not count.
            spaces += begun
            pending_space = False
        begun = True
        tally[kind] += 1
        if kind == MARK:
            continue
        if kind == LETTER or kind == UPPER or kind == DIGIT:
            if not (
                state == INSIDE
                or (state == AFTER_APOSTROPHE and kind != DIGIT)
                or (state == AFTER_JOINER and kind == DIGIT)
            ):
                words += 1
            state = INSIDE
            last_was_digit = kind == DIGIT
        elif kind == UNSPACED:
            words += 1
            state = OUTSIDE
        elif kind == APOSTROPHE and state == INSIDE and not last_was_digit:
            state = AFTER_APOSTROPHE
        elif kind == JOINER and state == INSIDE and last_was_digit:
            state = AFTER_JOINER
        else:
            state = OUTSIDE
    for k in range(CLASSES):
        visible += tally[k]
    counts[S_CHARACTERS] = visible + spaces
    counts[S_WORDS] = words
    counts[S_LETTERS] = tally[LETTER] + tally[UPPER] + tally[UNSPACED]
    counts[S_UPPER] = tally[UPPER]
    counts[S_DIGITS] = tally[DIGIT]
    counts[S_PUNCTUATION] = tally[PUNCTUATION] + tally[APOSTROPHE] + tally[JOINER]

cdef int end_run(State* walk, const Level* level) noexcept nogil:
    """Add a piece for the text since the last tag, unless it is blank."""
    cdef int32_t counts[SUM_COLUMNS]
    cdef Py_ssize_t row
    cdef int column
    if walk.text.size == walk.run_start:
        return DONE
    count_run(walk, counts)
    if counts[S_CHARACTERS]:
        counts[S_LINK_CHARACTERS] = counts[S_CHARACTERS] if level.link >= 0 else 0
        if reserve(&walk.pieces) or reserve(&walk.sums):
            return NO_MEMORY
        row = walk.pieces.size
        walk.pieces.column[P_OWNER][row] = walk.owner
        walk.pieces.column[P_SLOT][row] = walk.slot
        walk.pieces.column[P_START][row] = walk.run_start
        walk.pieces.column[P_END][row] = walk.text.size
        walk.pieces.column[P_LINK][row] = level.link
        walk.pieces.column[P_BLOCK][row] = level.block
        walk.pieces.column[P_LINE][row] = walk.line
        walk.pieces.size += 1
        row = walk.sums.size
        for column in range(SUM_COLUMNS):
            walk.sums.column[column][row] = walk.sums.column[column][row - 1] + counts[column]
        walk.sums.size += 1
    walk.run_start = walk.text.size
    return DONE

cdef inline const char* value_of(const xmlAttr* attribute) noexcept nogil:
    if attribute.children == NULL or attribute.children.content == NULL:
        return b""
    return <const char*> attribute.children.content

cdef int add_attributes(State* walk, const xmlNode* node, Marks* marks) noexcept nogil:
    """Add the attributes of an element, and note those that say what it is."""
    cdef const xmlAttr* attribute = node.properties
    cdef Table* table = &walk.attributes
    cdef int32_t code
    cdef int status = DONE
    while attribute != NULL:
        code = code_of(&walk.attribute_names, &ATTRIBUTE_CODES, attribute.name)
        if code == HREF_ATTRIBUTE:
            marks.href = value_of(attribute)
        elif code == CLASS_ATTRIBUTE:
            marks.classes = value_of(attribute)
        elif code == TYPE_ATTRIBUTE:
            marks.type = value_of(attribute)
        elif code == OTHER_ATTRIBUTE:
            status = append_bytes(&walk.values, <const char*> attribute.name, strlen(<const char*> attribute.name) + 1)
        if status or reserve(table):
            return status or NO_MEMORY
        table.column[A_NAME][table.size] = code
        table.column[A_START][table.size] = walk.values.size
        status = append(&walk.values, value_of(attribute))
        table.column[A_END][table.size] = walk.values.size
        table.size += 1
        if status:
            return status
        attribute = attribute.next
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

cdef int add_link(State* walk, int32_t node, const char* href, int32_t style) noexcept nogil:
    cdef Py_ssize_t row = walk.links.size
    cdef int status
    if reserve(&walk.links):
        return NO_MEMORY
    walk.links.column[L_NODE][row] = node
    walk.links.column[L_START][row] = walk.hrefs.size
    status = append(&walk.hrefs, href)
    walk.links.column[L_END][row] = walk.hrefs.size
    walk.links.column[L_STYLE][row] = style
    walk.links.size += 1
    return status

cdef int open_node(State* walk, xmlNode* node, int depth) noexcept nogil:
    """Add a row for an element or comment and set up the level inside it."""
    cdef Py_ssize_t row = walk.nodes.size
    cdef Level* level = &walk.levels[depth]
    cdef Level* outer = &walk.levels[depth - 1] if depth else NULL
    cdef int32_t tag = COMMENT_TAG
    cdef uint8_t flags = 0
    cdef Marks marks
    cdef int status = DONE
    if reserve(&walk.nodes):
        return NO_MEMORY
    marks.href, marks.classes, marks.type = NULL, b"", b""
    walk.nodes.column[N_ATTRIBUTES][row] = walk.attributes.size
    level.node = row
    level.link = outer.link if outer != NULL else -1
    level.block = outer.block if outer != NULL else 0
    level.read = outer.read if outer != NULL else True
    level.data = False
    if node.type == XML_ELEMENT_NODE:
        tag = code_of(&walk.tags, &TAG_CODES, node.name)
        flags = walk.flags[tag]
        status = add_attributes(walk, node, &marks)
        if not status and tag == UNKNOWN_TAG:
            status = keep(&walk.unknown, row, &walk.names, <const char*> node.name)
        elif not status and tag == SCRIPT_TAG and is_json_ld(marks.type):
            level.data = True
            status = keep(&walk.scripts, row, &walk.json, b"")
        if status:
            return status
    if flags:
        if flags & BLOCK_FLAG:
            level.block = row
            walk.line += 1
        elif flags & BREAK_FLAG:
            walk.line += 1
        elif flags & UNREAD_FLAG:
            level.read = False
        elif flags & LINK_FLAG and marks.href != NULL:
            level.link = row
            status = add_link(walk, row, marks.href, style_of(marks.classes))
            if status:
                return status
    walk.nodes.column[N_TAG][row] = tag
    walk.nodes.column[N_PARENT][row] = outer.node if outer != NULL else -1
    walk.nodes.column[N_DEPTH][row] = depth
    walk.nodes.column[N_TEXT_START][row] = walk.text.size
    walk.nodes.column[N_PIECE_START][row] = walk.pieces.size
    walk.nodes.size += 1
    walk.owner = row
    walk.slot = 0
    return DONE

cdef inline void close_node(State* walk, int depth) noexcept nogil:
    cdef int32_t row = walk.levels[depth].node
    walk.nodes.column[N_END][row] = walk.nodes.size
    walk.nodes.column[N_TEXT_END][row] = walk.text.size
    walk.nodes.column[N_PIECE_END][row] = walk.pieces.size
    if walk.flags[walk.nodes.column[N_TAG][row]] & BLOCK_FLAG:
        walk.line += 1
    walk.owner = row
    walk.slot = 1

cdef int walk_tree(State* walk, xmlNode* root, int deepest) noexcept nogil:
    """Walk the tree below `root` in document order."""
    cdef xmlNode* node = root
    cdef int depth = 0
    cdef int status
    while True:
        if node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE:
            status = DONE
            if node.content == NULL:
                pass
            elif walk.levels[depth - 1].read:
                status = append(&walk.text, <const char*> node.content)
            elif walk.levels[depth - 1].data:
                status = append(&walk.json, <const char*> node.content)
                walk.scripts.column[K_END][walk.scripts.size - 1] = walk.json.size
            if status:
                return status
        elif node.type == XML_ELEMENT_NODE or node.type == XML_COMMENT_NODE or node.type == XML_PI_NODE:
            if depth and end_run(walk, &walk.levels[depth - 1]):
                return NO_MEMORY
            if depth >= deepest:
                return TOO_DEEP
            status = open_node(walk, node, depth)
            if status:
                return status
            if node.type == XML_ELEMENT_NODE and node.children != NULL:
                node = node.children
                depth += 1
                continue
            close_node(walk, depth)
        while node != root and node.next == NULL:
            node = node.parent
            depth -= 1
            if end_run(walk, &walk.levels[depth]):
                return NO_MEMORY
            close_node(walk, depth)
        if node == root:
            return DONE
        node = node.next

cdef class Walk:
    """A walk over one tree, whose columns can be taken when the tree is gone."""

    cdef State state
    #: Whether the walk ended at an element below the deepest level.
    cdef readonly bint too_deep

    def __init__(self, cetree._Element root not None, int deepest):
        """Walk the tree below `root`, down to `deepest` levels."""
        cdef State* state = &self.state
        cdef int status
        cdef int column
        state.nodes.columns = NODE_COLUMNS
        state.pieces.columns = PIECE_COLUMNS
        state.sums.columns = SUM_COLUMNS
        state.links.columns = LINK_COLUMNS
        state.attributes.columns = ATTRIBUTE_COLUMNS
        state.unknown.columns = state.scripts.columns = KEPT_COLUMNS
        state.classes = &CLASS_TABLE[0]
        state.flags = &FLAG_TABLE[0]
        state.levels = <Level*> malloc((deepest + 1) * sizeof(Level))
        if state.levels == NULL or reserve(&state.sums):
            raise MemoryError
        for column in range(SUM_COLUMNS):
            state.sums.column[column][0] = 0
        state.sums.size = 1
        with nogil:
            status = walk_tree(state, root._c_node, deepest)
        if status == NO_MEMORY:
            raise MemoryError
        if status == TOO_LONG:
            raise OverflowError("the text of a page must not exceed 2 GiB")
        self.too_deep = status == TOO_DEEP

    def __dealloc__(self):
        release(&self.state)

    def columns(self):
        """Return the tables of the tree and their texts.

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
