"""Lists of stories that a script writes: the page has their data and a small script that makes links of them."""

import json

from broadsheet.newsweb.templates._view import PageView

_SCRIPT = """(function () {
  var lists = JSON.parse(document.getElementById("stories-data").textContent);
  var stories = document.getElementById("stories");
  function add(parent, name, text) {
    var element = document.createElement(name);
    if (text) { element.textContent = text; }
    return parent.appendChild(element);
  }
  function link(parent, data) { add(parent, "a", data.text).setAttribute("href", data.href); }
  lists.forEach(function (list) {
    var block = add(stories, "section");
    block.className = list.role;
    add(block, "h2", list.title);
    list.items.forEach(function (item) {
      var card = add(block, "div");
      link(add(card, "h3"), item.link);
      add(card, "p", item.standfirst);
      if (item.tag) { link(add(card, "p"), item.tag); }
    });
  });
})();"""


def scripted_lists(view: PageView) -> list[str]:
    """Render the lists of a page that scripts write; none for other pages."""
    if not view.scripted:
        return []
    lists = [
        {
            "role": box.role,
            "title": box.title,
            "items": [
                {
                    "link": {"href": teaser.link.path, "text": teaser.link.text},
                    "standfirst": teaser.standfirst,
                    "tag": teaser.tag and {"href": teaser.tag.path, "text": teaser.tag.text},
                }
                for teaser in box.teasers
            ],
        }
        for box in view.page.boxes
    ]
    # An end tag inside the JSON would end the script.
    data = json.dumps(lists, ensure_ascii=False).replace("<", "\\u003c")
    scripts = f'<script type="application/json" id="stories-data">{data}</script>\n<script>\n{_SCRIPT}\n</script>'
    return [f'<div id="stories"></div>\n{scripts}']
