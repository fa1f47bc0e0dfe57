"""Parts of SVG drawings."""

from html import escape

INK, PALE, LINE = "#333", "#777", "#ddd"


def svg_start(width: float, height: float, title: str) -> str:
    """Return the beginning of a drawing on white, with its title as a name and as a heading."""
    box, font = f'viewBox="0 0 {width:.0f} {height:.0f}"', 'font-family="system-ui, sans-serif" font-size="12"'
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} role="img" {font} fill="{INK}">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width:.0f}" height="{height:.0f}" fill="#fff"/>',
            svg_text(28, 34, title, font_size=18, font_weight=600),
        )
    )


def svg_text(x: float, y: float, text: str, **style: str | int) -> str:
    """Return a text; `style` are attributes of SVG, written with underscores."""
    attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes}>{escape(text)}</text>'
