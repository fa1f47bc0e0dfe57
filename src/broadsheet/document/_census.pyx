# cython: boundscheck=False, wraparound=False, cdivision=True
"""One pass over a page's bytes that estimates, before parsing, how much the parser would have to build.

The pass tokenises as HTML does (quotes in attributes, comments, the raw text of scripts), so that neither a `<` in a
script nor a `>` in an attribute is mistaken for a tag, and no page can hide attributes from the count.
"""

from libc.stdint cimport int64_t, uint64_t
from libc.string cimport memchr, memcmp

cdef enum:
    DEEPEST = 2048  # libxml2 stops at this depth, so no tag can cost more than this
    SEARCHED = 32  # how far up an end tag is matched; matches further out are rare, and missing one only overestimates

cdef struct Tally:
    int64_t nodes
    int64_t work
    int64_t longest_attribute
    int64_t most_attributes
    const unsigned char* root_end  # the slash of the first `<html … />`

cdef inline const unsigned char* find(const unsigned char* at, const unsigned char* end, int byte) noexcept nogil:
    """Return the next position of `byte`, or `end`."""
    cdef const void* match = memchr(at, byte, end - at) if at < end else NULL
    return end if match == NULL else <const unsigned char*> match

cdef inline bint is_space(unsigned char byte) noexcept nogil:
    return byte == 32 or 9 <= byte <= 13 and byte != 11

cdef inline bint is_letter(unsigned char byte) noexcept nogil:
    return 97 <= (byte | 32) <= 122

cdef uint64_t pack(bytes name):
    cdef uint64_t packed = 0
    for byte in name:
        packed = packed << 8 | <unsigned char> byte
    return packed

cdef enum:
    MAX_NAMES = 64
    LONGEST_NAME = 8  # every name in the lists below fits into one machine word

cdef struct Names:
    uint64_t packed[MAX_NAMES]
    int size

cdef Names names_of(str listed):
    cdef Names names
    names.size = 0
    for name in listed.split():
        names.packed[names.size] = pack(name.encode())
        names.size += 1
    return names

# Names of up to eight letters fit into one machine word, so that recognising one takes a single comparison.
cdef Names RAW = names_of("script style textarea title xmp iframe noembed noframes")
# Void elements, and elements that the next one of their kind closes: a thousand unclosed ones are not nested.
cdef Names SHALLOW = names_of(
    "area base br col embed hr img input link meta param source track wbr p li dt dd td th tr option optgroup "
    "tbody thead tfoot colgroup"
)

cdef uint64_t SCRIPT = pack(b"script")
cdef uint64_t HTML = pack(b"html")

cdef inline bint among(uint64_t name, const Names* names) noexcept nogil:
    cdef int k
    for k in range(names.size):
        if names.packed[k] == name:
            return True
    return False

cdef inline const unsigned char* read_name(
    const unsigned char* at, const unsigned char* end, uint64_t* name
) noexcept nogil:
    """Read a tag name; one that does not fit is marked by a bit that is never set in an ASCII name."""
    cdef const unsigned char* start = at
    cdef uint64_t packed = 0
    while at < end and not is_space(at[0]) and at[0] != 47 and at[0] != 62:
        packed = packed << 8 | (at[0] | 32 if is_letter(at[0]) else at[0])
        at += 1
    name[0] = packed if at - start <= LONGEST_NAME else packed | <uint64_t> 1 << 63
    return at

cdef const unsigned char* read_attributes(
    const unsigned char* at, const unsigned char* end, Tally* tally, bint* self_closed
) noexcept nogil:
    """Read a tag's attributes up to and past its `>`."""
    cdef const unsigned char* start
    cdef int64_t attributes = 0
    cdef int64_t length
    self_closed[0] = False
    while at < end:
        if is_space(at[0]) or at[0] == 47:
            self_closed[0] = at[0] == 47 and end - at > 1 and at[1] == 62
            at += 1
            continue
        if at[0] == 62:
            at += 1
            break
        attributes += 1
        at += 1
        while at < end and not is_space(at[0]) and at[0] != 47 and at[0] != 62 and at[0] != 61:
            at += 1
        while at < end and is_space(at[0]):
            at += 1
        if at >= end or at[0] != 61:
            continue
        at += 1
        while at < end and is_space(at[0]):
            at += 1
        if at < end and (at[0] == 34 or at[0] == 39):
            start = at + 1
            at = find(start, end, at[0])
            length = at - start
            at += 1
        else:
            start = at
            while at < end and not is_space(at[0]) and at[0] != 62:
                at += 1
            length = at - start
        if length > tally.longest_attribute:
            tally.longest_attribute = length
    tally.nodes += attributes
    # The parser compares each attribute of a tag with all previous ones.
    tally.work += attributes * attributes // 2
    if attributes > tally.most_attributes:
        tally.most_attributes = attributes
    return at

cdef inline bint begins(const unsigned char* at, const unsigned char* end, const char* text, int length) noexcept nogil:
    return end - at >= length and memcmp(at, text, length) == 0

cdef const unsigned char* skip_comment(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Return the end of the comment that starts with `<!--` at `at`."""
    cdef const unsigned char* start = at + 4
    at = start - 1
    while True:
        at = find(at + 1, end, 62)
        if at >= end:
            return end
        # The hyphens of `<!--` may also be those of `-->`, but not those of `--!>`.
        if (at - 1)[0] == 45 and (at - 2)[0] == 45:
            return at + 1
        if at - start >= 3 and (at - 1)[0] == 33 and (at - 2)[0] == 45 and (at - 3)[0] == 45:
            return at + 1

cdef inline bint name_matches(const unsigned char* at, const unsigned char* end, uint64_t name) noexcept nogil:
    """Return whether the complete tag name at `at` is this one.

    This is called at every `<`, so it must not read to the end of a name that is longer than any in the lists.
    """
    cdef uint64_t packed
    cdef const unsigned char* limit = end if end - at <= LONGEST_NAME else at + LONGEST_NAME + 1
    if at >= end or not is_letter(at[0]):
        return False
    return read_name(at, limit, &packed) < limit and packed == name

cdef const unsigned char* skip_raw_text(
    const unsigned char* at, const unsigned char* end, uint64_t name
) noexcept nogil:
    """Return the end of the raw text of the element called `name`: the position of its end tag."""
    while True:
        at = find(at, end, 60)
        if at >= end:
            return end
        if name == SCRIPT and begins(at, end, b"<!--", 4):
            at = skip_script_comment(at, end)
            if at >= end or at[0] == 60:
                return at
            continue
        if end - at > 2 and at[1] == 47 and name_matches(at + 2, end, name):
            return at
        at += 1

cdef const unsigned char* skip_script_comment(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Return the end of a comment in a script, past its `-->`, or the `</script>` inside it that ends the script.

    In such a comment a `<script>` hides the next `</script>`: HTML specifies this for the sake of very old pages.
    """
    cdef bint hiding = False
    at += 2
    while at < end:
        if at[0] == 45 and begins(at, end, b"-->", 3):
            return at + 3
        if at[0] == 60 and not hiding and name_matches(at + 1, end, SCRIPT):
            hiding = True
        elif at[0] == 60 and end - at > 2 and at[1] == 47 and name_matches(at + 2, end, SCRIPT):
            if not hiding:
                return at
            hiding = False
        at += 1
    return end

cdef struct Stack:
    uint64_t names[DEEPEST]
    int64_t depth

cdef inline void close(Stack* stack, uint64_t name) noexcept nogil:
    """Close the nearest open element of this name; an end tag without one is ignored."""
    cdef int64_t at = stack.depth
    while at > 0 and stack.depth - at < SEARCHED:
        at -= 1
        if stack.names[at] == name:
            stack.depth = at
            return

cdef const unsigned char* scan_start_tag(
    const unsigned char* at, const unsigned char* end, Tally* tally, Stack* stack
) noexcept nogil:
    cdef uint64_t name
    cdef bint self_closed
    at = read_name(at + 1, end, &name)
    at = read_attributes(at, end, tally, &self_closed)
    if self_closed:
        if name == HTML and tally.root_end == NULL:
            tally.root_end = at - 2
        return at
    if among(name, &RAW):
        return skip_raw_text(at, end, name)
    if stack.depth < DEEPEST and not among(name, &SHALLOW):
        stack.names[stack.depth] = name
        stack.depth += 1
    return at

cdef void scan(const unsigned char* at, const unsigned char* end, Tally* tally) noexcept nogil:
    cdef uint64_t name
    cdef bint self_closed
    cdef Stack stack
    stack.depth = 0
    while True:
        at = find(at, end, 60)
        if end - at < 2:
            return
        if is_letter(at[1]):
            tally.nodes += 1
            at = scan_start_tag(at, end, tally, &stack)
        elif at[1] == 47 and end - at > 2 and is_letter(at[2]):
            at = read_name(at + 2, end, &name)
            at = read_attributes(at, end, tally, &self_closed)
            close(&stack, name)
        elif begins(at, end, b"<!--", 4):
            tally.nodes += 1
            at = skip_comment(at, end)
        elif at[1] == 33 or at[1] == 47 or at[1] == 63:
            # Declarations, processing instructions and malformed end tags, which become comments.
            tally.nodes += 1
            at = find(at, end, 62) + 1
        else:
            at += 1
            continue
        tally.work += stack.depth

def census(bytes page not None):
    """Return the nodes, the work (the sum of tags' depths), the longest attribute, the most attributes, and where the
    slash of the first `<html … />` is, or -1.
    """
    cdef Tally tally = Tally(0, 0, 0, 0, NULL)
    cdef const unsigned char* data = page
    cdef Py_ssize_t size = len(page)
    with nogil:
        scan(data, data + size, &tally)
    root_end = tally.root_end - data if tally.root_end != NULL else -1
    return tally.nodes, tally.work, tally.longest_attribute, tally.most_attributes, root_end
