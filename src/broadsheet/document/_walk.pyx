# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The compiled walk: turns lxml's C tree into columns in one pass, without the GIL.

It only reads structs, so it is not linked with libxml2. `pywalk` is the reference: it produces the same columns.
"""

cimport lxml.includes.etreepublic as cetree
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_AsUTF8, PyUnicode_DecodeUTF8
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset, strcmp, strlen
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE, XML_COMMENT_NODE, XML_ELEMENT_NODE, XML_PI_NODE, XML_TEXT_NODE, xmlAttr, xmlNode,
)

import os

import numpy as np

from broadsheet.document import characters, tags

cetree.import_lxml__etree()

cdef enum:
    # The columns of each table, in the order in which `walk` returns them.
    N_TAG, N_PARENT, N_END, N_DEPTH, N_TEXT_START, N_TEXT_END, N_PIECE_START, N_PIECE_END, NODE_COLUMNS
    P_OWNER = 0
    P_SLOT, P_START, P_END, P_LINK, P_BLOCK, P_LINE, PIECE_COLUMNS
    S_CHARACTERS = 0
    S_WORDS, S_LETTERS, S_UPPER, S_DIGITS, S_PUNCTUATION, S_LINK_CHARACTERS, SUM_COLUMNS
    L_NODE = 0
    L_START, L_END, L_STYLE, LINK_COLUMNS
    MOST_COLUMNS = 8

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
    DONE, NO_MEMORY, TOO_DEEP, TOO_LONG

cdef enum:
    MOST_WANTED = 16  # attributes asked for at once
    NAME_SLOTS = 1024
    POINTER_SLOTS = 512
    COMMENT_TAG = 1

cdef const uint8_t[::1] CLASS_TABLE = characters.classes()
cdef const uint8_t[::1] FLAG_TABLE = tags.FLAGS
cdef list NAME_BYTES = [name.encode() for name in tags.NAMES]
cdef const char* NAME_TABLE[NAME_SLOTS]
cdef int32_t CODE_TABLE[NAME_SLOTS]

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

cdef void fill_name_table():
    cdef uint32_t slot
    memset(NAME_TABLE, 0, sizeof(NAME_TABLE))
    for code, name in enumerate(NAME_BYTES):
        slot = hash_name(name) % NAME_SLOTS
        while NAME_TABLE[slot] != NULL:
            slot = (slot + 1) % NAME_SLOTS
        NAME_TABLE[slot] = name
        CODE_TABLE[slot] = code

fill_name_table()

cdef int32_t code_of(const char* name) noexcept nogil:
    """Return the code of a tag name, 0 if it is not part of HTML."""
    cdef uint32_t slot = hash_name(name) % NAME_SLOTS
    while NAME_TABLE[slot] != NULL:
        if strcmp(NAME_TABLE[slot], name) == 0:
            return CODE_TABLE[slot]
        slot = (slot + 1) % NAME_SLOTS
    return 0

cdef struct Table:
    # Columns of equal length that grow together.
    int32_t* column[MOST_COLUMNS]
    int columns
    Py_ssize_t size
    Py_ssize_t capacity

cdef struct Buffer:
    char* data
    Py_ssize_t size
    Py_ssize_t capacity

cdef struct Level:
    # What applies to everything inside the open element at one depth.
    int32_t node
    int32_t link
    int32_t block
    bint read

cdef struct Walk:
    Table nodes
    Table pieces
    Table sums
    Table links
    Buffer text
    Buffer hrefs
    uintptr_t* pointers
    Py_ssize_t pointer_capacity
    Level* levels
    int32_t line
    int32_t owner
    int32_t slot
    Py_ssize_t run_start
    const uint8_t* classes
    const uint8_t* flags
    const void* seen_name[POINTER_SLOTS]
    int32_t seen_code[POINTER_SLOTS]

cdef int grow(Table* table) noexcept nogil:
    # Most pages have fewer rows than this, and moving many columns to larger places takes long.
    cdef Py_ssize_t capacity = 2 * table.capacity if table.capacity else 4096
    cdef void* grown
    cdef int k
    for k in range(table.columns):
        grown = realloc(table.column[k], capacity * sizeof(int32_t))
        if grown == NULL:
            return NO_MEMORY
        table.column[k] = <int32_t*> grown
    table.capacity = capacity
    return DONE

cdef inline int reserve(Table* table) noexcept nogil:
    return grow(table) if table.size == table.capacity else DONE

cdef int append(Buffer* buffer, const char* data) noexcept nogil:
    cdef Py_ssize_t length = strlen(data)
    cdef Py_ssize_t capacity = buffer.capacity
    cdef void* grown
    if buffer.size + length > capacity:
        capacity = 2 * (buffer.size + length) + 4096
        if capacity > 0x7FFFFFFF:
            return TOO_LONG
        grown = realloc(buffer.data, capacity)
        if grown == NULL:
            return NO_MEMORY
        buffer.data = <char*> grown
        buffer.capacity = capacity
    memcpy(buffer.data + buffer.size, data, length)
    buffer.size += length
    return DONE

cdef inline int32_t tag_code(Walk* walk, const xmlNode* node) noexcept nogil:
    """Return the code of an element's name; libxml2 interns names, so most are cached by address."""
    cdef uintptr_t address = <uintptr_t> node.name
    cdef uint32_t slot = (address >> 3 ^ address >> 12) % POINTER_SLOTS
    if walk.seen_name[slot] != <const void*> node.name:
        walk.seen_name[slot] = <const void*> node.name
        walk.seen_code[slot] = code_of(<const char*> node.name)
    return walk.seen_code[slot]

cdef void count_run(const Walk* walk, int32_t* counts) noexcept nogil:
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

cdef int end_run(Walk* walk, const Level* level) noexcept nogil:
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

cdef inline const char* attribute_of(const xmlNode* node, const char* name) noexcept nogil:
    """Return the value of an element's attribute, NULL if it has none."""
    cdef const xmlAttr* attribute = node.properties
    while attribute != NULL:
        if strcmp(<const char*> attribute.name, name) == 0:
            if attribute.children == NULL or attribute.children.content == NULL:
                return b""
            return <const char*> attribute.children.content
        attribute = attribute.next
    return NULL

cdef inline int32_t style_of(const xmlNode* node) noexcept nogil:
    """Return a hash of an element's first class."""
    cdef const char* at = attribute_of(node, b"class")
    cdef uint32_t value = HASH_START
    if at == NULL:
        return <int32_t> value
    while is_space(at[0]):
        at += 1
    while at[0] and not is_space(at[0]):
        value = (value ^ <uint8_t> at[0]) * HASH_FACTOR
        at += 1
    return <int32_t> value

cdef int add_link(Walk* walk, int32_t node, const char* href, int32_t style) noexcept nogil:
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

cdef int open_node(Walk* walk, xmlNode* node, int depth) noexcept nogil:
    """Add a row for an element or comment and set up the level inside it."""
    cdef Py_ssize_t row = walk.nodes.size
    cdef Level* level = &walk.levels[depth]
    cdef Level* outer = &walk.levels[depth - 1] if depth else NULL
    cdef int32_t tag = COMMENT_TAG
    cdef uint8_t flags = 0
    cdef const char* href
    cdef void* grown
    cdef int status
    if reserve(&walk.nodes):
        return NO_MEMORY
    if walk.pointer_capacity < walk.nodes.capacity:
        grown = realloc(walk.pointers, walk.nodes.capacity * sizeof(uintptr_t))
        if grown == NULL:
            return NO_MEMORY
        walk.pointers = <uintptr_t*> grown
        walk.pointer_capacity = walk.nodes.capacity
    level.node = row
    level.link = outer.link if outer != NULL else -1
    level.block = outer.block if outer != NULL else 0
    level.read = outer.read if outer != NULL else True
    if node.type == XML_ELEMENT_NODE:
        tag = tag_code(walk, node)
        flags = walk.flags[tag]
    if flags:
        if flags & BLOCK_FLAG:
            level.block = row
            walk.line += 1
        elif flags & BREAK_FLAG:
            walk.line += 1
        elif flags & UNREAD_FLAG:
            level.read = False
        elif flags & LINK_FLAG:
            href = attribute_of(node, b"href")
            if href != NULL:
                level.link = row
                status = add_link(walk, row, href, style_of(node))
                if status:
                    return status
    walk.nodes.column[N_TAG][row] = tag
    walk.nodes.column[N_PARENT][row] = outer.node if outer != NULL else -1
    walk.nodes.column[N_DEPTH][row] = depth
    walk.nodes.column[N_TEXT_START][row] = walk.text.size
    walk.nodes.column[N_PIECE_START][row] = walk.pieces.size
    walk.pointers[row] = <uintptr_t> node
    walk.nodes.size += 1
    walk.owner = row
    walk.slot = 0
    return DONE

cdef inline void close_node(Walk* walk, int depth) noexcept nogil:
    cdef int32_t row = walk.levels[depth].node
    walk.nodes.column[N_END][row] = walk.nodes.size
    walk.nodes.column[N_TEXT_END][row] = walk.text.size
    walk.nodes.column[N_PIECE_END][row] = walk.pieces.size
    if walk.flags[walk.nodes.column[N_TAG][row]] & BLOCK_FLAG:
        walk.line += 1
    walk.owner = row
    walk.slot = 1

cdef int walk_tree(Walk* walk, xmlNode* root, int deepest) noexcept nogil:
    """Walk the tree below `root` in document order."""
    cdef xmlNode* node = root
    cdef int depth = 0
    cdef int status
    while True:
        if node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE:
            if walk.levels[depth - 1].read and node.content != NULL:
                status = append(&walk.text, <const char*> node.content)
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

cdef tuple columns_of(Table* table):
    """Return the columns of a table as rows of one array, which is faster than an array for each."""
    cdef Py_ssize_t length = table.size * sizeof(int32_t)
    cdef bytes content = PyBytes_FromStringAndSize(NULL, table.columns * length)
    cdef char* at = content
    cdef int k
    for k in range(table.columns if length else 0):
        memcpy(at + k * length, table.column[k], length)
    # An array over bytes is read-only, as columns shared by threads should be.
    return tuple(np.frombuffer(content, np.int32).reshape(table.columns, table.size))

cdef void release(Walk* walk) noexcept nogil:
    cdef int k
    for k in range(MOST_COLUMNS):
        free(walk.nodes.column[k])
        free(walk.pieces.column[k])
        free(walk.sums.column[k])
        free(walk.links.column[k])
    free(walk.text.data)
    free(walk.hrefs.data)
    free(walk.pointers)
    free(walk.levels)
    free(walk)

def walk(cetree._Element root not None, int deepest):
    """Return the columns of the tree below `root`, or None if it has more than `deepest` levels."""
    cdef Walk* state = <Walk*> malloc(sizeof(Walk))
    cdef int status
    cdef int column
    if state == NULL:
        raise MemoryError
    memset(state, 0, sizeof(Walk))
    try:
        state.nodes.columns = NODE_COLUMNS
        state.pieces.columns = PIECE_COLUMNS
        state.sums.columns = SUM_COLUMNS
        state.links.columns = LINK_COLUMNS
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
        if status == TOO_DEEP:
            return None
        return (
            columns_of(&state.nodes), columns_of(&state.pieces), columns_of(&state.sums), columns_of(&state.links),
            state.text.data[:state.text.size] if state.text.size else b"",
            state.hrefs.data[:state.hrefs.size] if state.hrefs.size else b"",
            np.frombuffer((<const char*> state.pointers)[:state.nodes.size * sizeof(uintptr_t)], np.uintp),
        )
    finally:
        release(state)

def element(cetree._Element root not None, uintptr_t pointer):
    """Return the lxml element for one of the pointers that `walk` returned for the tree of `root`."""
    return cetree.elementFactory(root._doc, <xmlNode*> pointer)

def attributes(
    cetree._Element root not None, const uintptr_t[::1] pointers not None, list rows not None, tuple names not None
):
    """Return the values of some attributes of each row's element, None for those that it does not have.

    This creates no lxml elements, which would take longer than everything else.
    """
    cdef const char* value
    cdef const xmlNode* node
    cdef Py_ssize_t row, k
    cdef const char* wanted[MOST_WANTED]
    cdef list found = []
    if len(names) > MOST_WANTED:
        raise ValueError(f"at most {MOST_WANTED} attributes can be asked for at once")
    for k in range(len(names)):
        wanted[k] = PyUnicode_AsUTF8(names[k])
    for row in rows:
        if not 0 <= row < pointers.shape[0]:
            raise IndexError("there is no such row")
        node = <const xmlNode*> pointers[row]
        values = PyTuple_New(len(names))
        for k in range(len(names)):
            value = attribute_of(node, wanted[k]) if node.type == XML_ELEMENT_NODE else NULL
            text = None if value == NULL else PyUnicode_DecodeUTF8(value, strlen(value), NULL)
            Py_INCREF(text)
            PyTuple_SET_ITEM(values, k, text)
        found.append(values)
    return found

cdef enum:
    T_NODE = 0
    T_KIND, T_START, T_END, TOKEN_COLUMNS

cdef inline int kind_of(const char* name) noexcept nogil:
    """Return the index of an attribute in `Tokens.KINDS`, -1 if it is not one of them."""
    if strcmp(name, b"class") == 0:
        return 0
    if strcmp(name, b"id") == 0:
        return 1
    if strcmp(name, b"role") == 0:
        return 2
    return 3 if strcmp(name, b"itemprop") == 0 else -1

cdef int split_tokens(Table* tokens, Buffer* text, int32_t node, int kind, const char* value) noexcept nogil:
    cdef Py_ssize_t at = text.size
    cdef Py_ssize_t start
    cdef int status = append(text, value)
    if status:
        return status
    while at < text.size:
        while at < text.size and is_space(text.data[at]):
            at += 1
        start = at
        while at < text.size and not is_space(text.data[at]):
            at += 1
        if at > start:
            if reserve(tokens):
                return NO_MEMORY
            tokens.column[T_NODE][tokens.size] = node
            tokens.column[T_KIND][tokens.size] = kind
            tokens.column[T_START][tokens.size] = start
            tokens.column[T_END][tokens.size] = at
            tokens.size += 1
    return DONE

cdef int collect_tokens(Table* tokens, Buffer* text, const uintptr_t[::1] pointers) noexcept nogil:
    cdef const xmlNode* node
    cdef const xmlAttr* attribute
    cdef Py_ssize_t row
    cdef int kind
    cdef int status
    cdef uintptr_t address
    cdef uint32_t slot
    # The parser interns names, so that most are recognised by their address.
    cdef const void* seen_name[POINTER_SLOTS]
    cdef int seen_kind[POINTER_SLOTS]
    memset(seen_name, 0, sizeof(seen_name))
    for row in range(pointers.shape[0]):
        node = <const xmlNode*> pointers[row]
        if node.type != XML_ELEMENT_NODE:
            continue
        attribute = node.properties
        while attribute != NULL:
            address = <uintptr_t> attribute.name
            slot = (address >> 3 ^ address >> 12) % POINTER_SLOTS
            if seen_name[slot] != <const void*> attribute.name:
                seen_name[slot] = <const void*> attribute.name
                seen_kind[slot] = kind_of(<const char*> attribute.name)
            kind = seen_kind[slot]
            if kind >= 0 and attribute.children != NULL and attribute.children.content != NULL:
                status = split_tokens(tokens, text, row, kind, <const char*> attribute.children.content)
                if status:
                    return status
            attribute = attribute.next
    return DONE

def tokens(cetree._Element root not None, const uintptr_t[::1] pointers not None):
    """Return the tokens in the attributes of `Tokens.KINDS`, given the pointers that `walk` returned."""
    cdef Table table
    cdef Buffer text
    cdef int status
    cdef int column
    memset(&table, 0, sizeof(table))
    memset(&text, 0, sizeof(text))
    table.columns = TOKEN_COLUMNS
    try:
        with nogil:
            status = collect_tokens(&table, &text, pointers)
        if status:
            raise MemoryError
        return text.data[:text.size] if text.size else b"", *columns_of(&table)
    finally:
        for column in range(TOKEN_COLUMNS):
            free(table.column[column])
        free(text.data)

cdef enum:
    # How an attribute counts: not at all, by its presence, or with its value.
    IGNORED, NAMED, VALUED

cdef struct Sets:
    # Distinct attribute sets, serialised one after another into one buffer and looked up by their hash.
    Buffer text
    Py_ssize_t* start
    uint32_t* hash
    int32_t* slots
    int32_t size
    int32_t capacity
    uint32_t seed  # random, so that no page can make all its sets collide

cdef int grow_sets(Sets* sets) noexcept nogil:
    cdef int32_t capacity = 2 * sets.capacity if sets.capacity else 1024
    cdef void* start = realloc(sets.start, (capacity + 1) * sizeof(Py_ssize_t))
    cdef void* hashes
    cdef void* slots
    cdef int32_t k
    cdef uint32_t slot
    if start == NULL:
        return NO_MEMORY
    sets.start = <Py_ssize_t*> start
    hashes = realloc(sets.hash, capacity * sizeof(uint32_t))
    if hashes == NULL:
        return NO_MEMORY
    sets.hash = <uint32_t*> hashes
    slots = realloc(sets.slots, 2 * capacity * sizeof(int32_t))
    if slots == NULL:
        return NO_MEMORY
    sets.slots = <int32_t*> slots
    sets.capacity = capacity
    memset(sets.slots, 0xFF, 2 * capacity * sizeof(int32_t))
    for k in range(sets.size):
        slot = sets.hash[k] % (2 * capacity)
        while sets.slots[slot] >= 0:
            slot = (slot + 1) % (2 * capacity)
        sets.slots[slot] = k
    return DONE

cdef int32_t intern_set(Sets* sets, Py_ssize_t start) noexcept nogil:
    """Return the index of the set just written at `start`; a duplicate is removed from the buffer."""
    cdef Py_ssize_t length = sets.text.size - start
    cdef uint32_t value = sets.seed
    cdef uint32_t slot
    cdef int32_t known
    cdef Py_ssize_t k
    for k in range(start, sets.text.size):
        value = (value ^ <uint8_t> sets.text.data[k]) * HASH_FACTOR
    slot = value % (2 * sets.capacity)
    while sets.slots[slot] >= 0:
        known = sets.slots[slot]
        if (
            sets.hash[known] == value and sets.start[known + 1] - sets.start[known] == length
            and memcmp(sets.text.data + sets.start[known], sets.text.data + start, length) == 0
        ):
            sets.text.size = start
            return known
        slot = (slot + 1) % (2 * sets.capacity)
    sets.slots[slot] = sets.size
    sets.hash[sets.size] = value
    sets.start[sets.size + 1] = sets.text.size
    sets.size += 1
    return sets.size - 1

cdef int write_attribute(Buffer* text, const xmlAttr* attribute, int counts) noexcept nogil:
    """Write an attribute's name and value (empty unless it counts), each terminated by a NUL byte."""
    cdef int status = append(text, <const char*> attribute.name)
    if not status:
        status = append_byte(text, 0)
    if not status and counts == VALUED and attribute.children != NULL and attribute.children.content != NULL:
        status = append(text, <const char*> attribute.children.content)
    return status or append_byte(text, 0)

cdef inline int append_byte(Buffer* buffer, char byte) noexcept nogil:
    cdef int status = DONE
    if buffer.size == buffer.capacity:
        # Let `append` grow the buffer, then drop the byte that it added.
        status = append(buffer, b"\1")
        buffer.size -= not status
    if not status:
        buffer.data[buffer.size] = byte
        buffer.size += 1
    return status

cdef struct Names:
    # The attributes that count, and a cache by address of how names count, because names are interned.
    const char** name
    int* counts
    int size
    const void* seen[POINTER_SLOTS]
    int seen_counts[POINTER_SLOTS]

cdef inline int counts_for(Names* names, const char* name) noexcept nogil:
    cdef uintptr_t address = <uintptr_t> name
    cdef uint32_t slot = (address >> 3 ^ address >> 12) % POINTER_SLOTS
    cdef int k
    if names.seen[slot] != <const void*> name:
        names.seen[slot] = <const void*> name
        names.seen_counts[slot] = IGNORED
        for k in range(names.size):
            if strcmp(names.name[k], name) == 0:
                names.seen_counts[slot] = names.counts[k]
                break
    return names.seen_counts[slot]

cdef int collect_sets(
    Sets* sets, Names* names, const uintptr_t[::1] pointers, int32_t[::1] set_indices
) noexcept nogil:
    cdef const xmlNode* node
    cdef const xmlAttr* attribute
    cdef Py_ssize_t row
    cdef Py_ssize_t start
    cdef int counts
    for row in range(pointers.shape[0]):
        node = <const xmlNode*> pointers[row]
        start = sets.text.size
        attribute = node.properties if node.type == XML_ELEMENT_NODE else NULL
        while attribute != NULL:
            counts = counts_for(names, <const char*> attribute.name)
            if counts != IGNORED and write_attribute(&sets.text, attribute, counts):
                return NO_MEMORY
            attribute = attribute.next
        if sets.size == sets.capacity and grow_sets(sets):
            return NO_MEMORY
        set_indices[row] = intern_set(sets, start)
    return DONE

def attribute_sets(
    cetree._Element root not None, const uintptr_t[::1] pointers not None, list valued not None, list named not None
):
    """Return the index of each node's attribute set, and the distinct sets as bytes."""
    cdef Sets sets
    cdef Names names
    cdef int status
    cdef int k
    attribute_names = [name.encode() for name in (*valued, *named)]
    set_indices = np.empty(pointers.shape[0], np.int32)
    cdef int32_t[::1] view = set_indices
    memset(&sets, 0, sizeof(sets))
    memset(&names, 0, sizeof(names))
    sets.seed = int.from_bytes(os.urandom(4), "little")
    names.size = len(attribute_names)
    names.name = <const char**> malloc((names.size + 1) * sizeof(char*))
    names.counts = <int*> malloc((names.size + 1) * sizeof(int))
    try:
        if names.name == NULL or names.counts == NULL or grow_sets(&sets):
            raise MemoryError
        sets.start[0] = 0
        for k in range(names.size):
            names.name[k] = attribute_names[k]
            names.counts[k] = VALUED if k < len(valued) else NAMED
        with nogil:
            status = collect_sets(&sets, &names, pointers, view)
        if status:
            raise MemoryError
        return set_indices, [sets.text.data[sets.start[k]:sets.start[k + 1]] for k in range(sets.size)]
    finally:
        free(names.name)
        free(names.counts)
        free(sets.text.data)
        free(sets.start)
        free(sets.hash)
        free(sets.slots)
