"""Inspect the DOM of a page out of reach of its scripts."""

from typing import Self

from playwright.async_api import CDPSession, Page

from broadsheet.crawling.rendering._stillness import Shape

# Named elements shadow properties of the document, in every world; the prototypes still have the originals.
_PRELUDE = """
const get = (type, name, node) => Object.getOwnPropertyDescriptor(type.prototype, name).get.call(node);
const root = get(Document, 'documentElement', document);
"""
_SHAPE = """[get(Document, 'readyState', document) !== 'loading',
             Document.prototype.getElementsByTagName.call(document, '*').length,
             root ? get(Node, 'textContent', root).length : 0]"""
_LENGTH = "root ? get(Element, 'outerHTML', root).length : 0"
#: The longest string in V8: the length of anything longer cannot be measured.
_MAX_STRING = 2**29


class Probe:
    """Evaluate in an isolated world, where the page cannot have replaced any function."""

    def __init__(self, session: CDPSession, frame: str) -> None:
        """Inspect one frame through a session of the DevTools protocol."""
        self._session = session
        self._frame = frame

    @classmethod
    async def attach(cls, page: Page) -> Self:
        """Return a probe for the main frame of a page."""
        session = await page.context.new_cdp_session(page)
        tree = await session.send("Page.getFrameTree")
        return cls(session, tree["frameTree"]["frame"]["id"])

    async def shape(self) -> Shape:
        """Return the current shape of the page."""
        match await self._evaluate(_SHAPE):
            case [bool(is_parsed), int(elements), int(text)]:
                return Shape(is_parsed, elements, text)
            case _:
                return Shape()

    async def length(self) -> int:
        """Return the length of the DOM as HTML in UTF-16 code units, which never exceeds its length in UTF-8."""
        length = await self._evaluate(_LENGTH)
        return length if isinstance(length, int) else _MAX_STRING

    async def html(self) -> str:
        """Return the DOM as HTML."""
        document = await self._session.send("DOM.getDocument", {"depth": 0})
        node = document["root"]["nodeId"]
        html: str = (await self._session.send("DOM.getOuterHTML", {"nodeId": node}))["outerHTML"]
        return html

    async def _evaluate(self, expression: str) -> object:
        # A script that replaces the document destroys the world, so create it each time.
        world = await self._session.send(
            "Page.createIsolatedWorld", {"frameId": self._frame, "worldName": "broadsheet"}
        )
        answer = await self._session.send(
            "Runtime.evaluate",
            {
                "expression": f"(() => {{ {_PRELUDE} return {expression}; }})()",
                "contextId": world["executionContextId"],
                "returnByValue": True,
            },
        )
        value: object = answer["result"].get("value")
        return value
