"""A look at a page's DOM from where its scripts cannot reach."""

from typing import Self

from playwright.async_api import CDPSession, Page

from broadsheet.crawling.rendering.stillness import Shape

# Names in the page hide properties of its document, in every world: the prototypes still have them.
_PRELUDE = """
const get = (type, name, node) => Object.getOwnPropertyDescriptor(type.prototype, name).get.call(node);
const root = get(Document, 'documentElement', document);
"""
_SHAPE = """[get(Document, 'readyState', document) !== 'loading',
             Document.prototype.getElementsByTagName.call(document, '*').length,
             root ? get(Node, 'textContent', root).length : 0]"""
_LENGTH = "root ? get(Element, 'outerHTML', root).length : 0"
#: The longest string of Chromium's engine: what is longer cannot be measured.
_IMMEASURABLE = 2**29


class Probe:
    """Asks in a world of its own, where the page can have replaced no function."""

    def __init__(self, session: CDPSession, frame: str) -> None:
        """Look through a session of Chromium's own protocol at one frame."""
        self._session = session
        self._frame = frame

    @classmethod
    async def attach(cls, page: Page) -> Self:
        """Return a probe of a page's main frame."""
        session = await page.context.new_cdp_session(page)
        tree = await session.send("Page.getFrameTree")
        return cls(session, tree["frameTree"]["frame"]["id"])

    async def shape(self) -> Shape:
        """Return how the page looks now."""
        match await self._evaluate(_SHAPE):
            case [bool(is_parsed), int(elements), int(text)]:
                return Shape(is_parsed, elements, text)
            case _:
                return Shape()

    async def length(self) -> int:
        """Return how long the DOM would be as HTML, in UTF-16 units, so never more than in bytes of UTF-8."""
        length = await self._evaluate(_LENGTH)
        return length if isinstance(length, int) else _IMMEASURABLE

    async def html(self) -> str:
        """Return the DOM as HTML."""
        document = await self._session.send("DOM.getDocument", {"depth": 0})
        node = document["root"]["nodeId"]
        html: str = (await self._session.send("DOM.getOuterHTML", {"nodeId": node}))["outerHTML"]
        return html

    async def _evaluate(self, expression: str) -> object:
        # The world is asked for each time, because it goes when a script replaces the document.
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
