"""Files as users of other programs reported them: no visible word is lost, moved or doubled.

In each of them "kept1", "kept2" and so on belong into the text, in this order; "aside1" is counted and can be
kept as a note; "gone1" is seen by no reader of the file. The judge reads nothing but these words.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from pathlib import Path

import pytest

from quire.book_formats.importing import manuscript_file
from quire.system.resource_limits import ResourceLimits
from tests.proofs.app.hostile_documents import docx, odt, packed

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_LIST = (
    f"<w:numbering {_W}><w:abstractNum w:abstractNumId='1'><w:lvl w:ilvl='0'><w:start w:val='1'/>"
    "<w:numFmt w:val='upperRoman'/><w:lvlText w:val='kept1%1:'/></w:lvl></w:abstractNum>"
    "<w:num w:numId='4'><w:abstractNumId w:val='1'/></w:num></w:numbering>"
)


def run(words: str, about: str = "") -> str:
    return f"<w:r><w:rPr>{about}</w:rPr><w:t xml:space='preserve'>{words}</w:t></w:r>"


def p(words: str, about: str = "", look: str = "") -> str:
    return f"<w:p><w:pPr>{about}</w:pPr>{run(words, look)}</w:p>"


def mark(kind: str) -> str:
    return f"<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>"


_WORD: dict[str, str | tuple[str, dict[str, str]]] = {
    "hidden": f"<w:p>{run('kept1 ')}{run('aside1', '<w:vanish/>')}{run(' kept2')}</w:p>",
    "a switch that is off": p("kept1", "", "<w:vanish w:val='0'/>"),
    "an open field": f"<w:p>{mark('begin')}<w:r><w:instrText>PAGEREF gone1</w:instrText>"
    f"</w:r>{run('kept1')}</w:p>"
    + p("kept2"),
    "a field in a field": f"<w:p>{mark('begin')}<w:r><w:instrText>IF</w:instrText></w:r>{mark('begin')}"
    f"{mark('separate')}{run('gone1')}{mark('end')}{mark('separate')}{run('kept1')}{mark('end')}"
    f"{run(' kept2')}</w:p>",
    "a field over paragraphs": f"<w:p>{mark('begin')}<w:r><w:instrText>TOC</w:instrText>"
    f"</w:r>{mark('separate')}"
    f"{run('kept1')}</w:p><w:p>{run('kept2')}{mark('end')}</w:p>",
    "a list to choose from": "<w:p><w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:ddList><w:result "
    "w:val='1'/>"
    "<w:listEntry w:val='gone1'/><w:listEntry w:val='kept1'/></w:ddList></w:ffData></w:fldChar></w:r>"
    f"{mark('end')}</w:p>",
    "a button": f"<w:p>{mark('begin')}<w:r><w:instrText>MACROBUTTON x kept1</w:instrText>"
    f"</w:r>{mark('end')}</w:p>",
    "a formula": f"<w:p>{run('kept1 ')}<m:oMath {_M}><m:f><m:num><m:r><m:t>kept2</m:t></m:r></m:num><m:den>"
    f"<m:r>"
    f"<m:t>kept3</m:t></m:r></m:den></m:f></m:oMath></w:p>",
    "drawn words": f"<w:p>{run('kept1')}<w:r><w:drawing><a:p {_A}><a:r><a:t>kept2</a:t></a:r></a:p>"
    f"</w:drawing></w:r>"
    "</w:p>",
    "WordArt": "<w:p><w:r><w:pict><v:shape xmlns:v='urn:schemas-microsoft-com:vml'><v:textpath "
    "string='kept1'/>"
    f"</v:shape></w:pict></w:r></w:p>{p('kept2')}",
    "controls around rows and cells": "<w:tbl><w:sdt><w:sdtContent><w:tr><w:sdt><w:sdtContent><w:tc>"
    f"{p('kept1')}</w:tc></w:sdtContent></w:sdt></w:tr></w:sdtContent></w:sdt></w:tbl>{p('kept2')}",
    "a drop cap": p("kep", "<w:framePr w:dropCap='drop'/>") + p("t1 kept2"),
    "deleted paragraphs": f"<w:p><w:pPr><w:rPr><w:del w:id='1'/></w:rPr></w:pPr>{run('kept1')}<w:del "
    f"w:id='2'><w:r>"
    f"<w:delText>gone1</w:delText></w:r></w:del></w:p>{p(' kept2')}",
    "deleted paragraphs in a row": "<w:p><w:pPr><w:rPr><w:del w:id='1'/></w:rPr></w:pPr>".join(
        ("", f"{run('kep')}</w:p>", f"{run('t1 ')}</w:p>", f"{run('kept2')}</w:p><w:tbl><w:tr><w:tc>")
    )
    + f"{p('kept3')}</w:tc></w:tr></w:tbl>{p('kept4')}",
    "a table in a table": f"<w:tbl><w:tr><w:tc>{p('kept1')}<w:tbl><w:tr><w:tc>{p('kept2')}</w:tc></w:tr>"
    f"</w:tbl>"
    f"{p('kept3')}</w:tc></w:tr></w:tbl>{p('kept4')}",
    "a chapter by its number": (
        p("", "<w:numPr><w:ilvl w:val='0'/><w:numId w:val='4'/></w:numPr><w:outlineLvl w:val='0'/>")
        + p("kept2", "<w:numPr><w:ilvl w:val='0'/><w:numId w:val='4'/></w:numPr>"),
        {"numbering": _LIST.replace("kept1", "kept1 ", 1)},
    ),
    "a watermark": (
        p("kept1"),
        {
            "header": f"<w:hdr {_W}><w:p><w:r><w:pict><v:textpath xmlns:v='urn:schemas-microsoft-com:vml' "
            "string='aside1'/></w:pict></w:r></w:p></w:hdr>"
        },
    ),
    "running heads": (
        p("kept1"),
        {"header": f"<w:hdr {_W}>{p('aside1')}</w:hdr>", "footer": f"<w:ftr {_W}>{p('3')}</w:ftr>"},
    ),
    "a comment on what was deleted": (
        f"<w:p>{run('kept1')}<w:del w:id='5'><w:commentRangeStart w:id='7'/><w:r><w:delText>gone1"
        f"</w:delText></w:r>"
        "<w:commentRangeEnd w:id='7'/><w:r><w:commentReference w:id='7'/></w:r></w:del></w:p>",
        {"comments": f"<w:comments {_W}><w:comment w:id='7' w:author='E'>{p('aside1')}</w:comment>"
        f"</w:comments>"},
    ),
    "a chart": (p("kept1"), {"chart": f"<c:chart xmlns:c='c' {_A}><a:t>aside1</a:t></c:chart>"}),
    "a comment on a head": (p("kept1"), {"comments": f"<w:comments {_W}><w:comment w:id='9'>{p('aside1')}"
    f"</w:comment>"
                                         "</w:comments>"}),
    "a note with a comment": (
        f"<w:p>{run('kept1')}<w:r><w:footnoteReference w:id='2'/></w:r>{run(' kept2')}</w:p>",
        {
            "footnotes": f"<w:footnotes {_W}><w:footnote w:id='2'><w:p>{run('aside1')}<w:r>"
            f"<w:commentReference "
            "w:id='0'/></w:r></w:p></w:footnote></w:footnotes>",
            "comments": f"<w:comments {_W}><w:comment w:id='0' w:author='E'>{p('aside2')}</w:comment>"
            f"</w:comments>",
        },
    ),
}  # fmt: skip
_OPENDOCUMENT = {
    "a shape": "<text:p>kept1<draw:custom-shape><text:p>kept2</text:p></draw:custom-shape></text:p>",
    "shapes in shapes": "<text:p>kept1<draw:g><draw:rect><text:p>kept2<draw:frame><draw:text-box>"
    "<text:p>kept3"
    "</text:p></draw:text-box></draw:frame></text:p></draw:rect></draw:g></text:p><text:p>kept4</text:p>",
    "hidden": "<text:p>kept1 <text:hidden-text text:is-hidden='true' text:string-value='aside1'/>kept2"
    "</text:p>"
    "<text:section text:display='none'><text:p>aside2</text:p></text:section>",
    "a hidden paragraph": "<text:p><text:hidden-paragraph text:is-hidden='true'/>aside1</text:p>"
    "<text:p>kept1</text:p>",
    "a comment": "<text:p>kept1<office:annotation><text:p>aside1</text:p></office:annotation> kept2</text:p>",
    "a list to choose from": "<text:p>kept1 <text:drop-down><text:label text:value='gone1'/>kept2"
    "</text:drop-down>"
    "</text:p>",
    "a table of contents": "<text:table-of-content><text:index-body><text:h>aside2</text:h>"
    "<text:p>aside1</text:p></text:index-body>"
    "</text:table-of-content><text:p>kept1</text:p>",
    "an index": "<text:p>kept1</text:p><text:alphabetical-index><text:index-body><text:index-title>"
    "<text:p>kept2"
    "</text:p></text:index-title><text:p>kept3</text:p></text:index-body></text:alphabetical-index>",
    "a list in a list": "<text:list><text:list-item><text:p>kept1</text:p><text:list><text:list-item>"
    "<text:p>kept2"
    "</text:p></text:list-item></text:list></text:list-item><text:list-header><text:p>kept3</text:p>"
    "</text:list-header></text:list>",
    "what was deleted": "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone1</text:p>"
    "</text:deletion>"
    "</text:changed-region></text:tracked-changes><text:p>kept1</text:p>",
    "a note": "<text:p>kept1<text:note><text:note-citation>1</text:note-citation><text:note-body>"
    "<text:p>aside1"
    "</text:p></text:note-body></text:note> kept2</text:p>",
    "a covered cell": "<table:table><table:table-row><table:table-cell><text:p>kept1</text:p>"
    "</table:table-cell>"
    "<table:covered-table-cell><text:p>aside1</text:p></table:covered-table-cell></table:table-row>"
    "</table:table>",
    "a formula": "<text:p>kept1<draw:frame><draw:object><m:math "
    "xmlns:m='http://www.w3.org/1998/Math/MathML'><m:mi>"
    " kept2</m:mi><m:annotation>gone1</m:annotation></m:math></draw:object></draw:frame> kept3</text:p>",
}  # fmt: skip
_RTF = {
    "what was deleted": r"kept1 {\deleted gone1}{\revised kept2}\par",
    "hidden": r"kept1 {\v aside1}kept2\par",
    "a box": r"kept1{\shp{\*\shpinst{\sp{\sn fName}{\sv gone1}}{\shptxt\pard "
    r"kept3\par}}{\shprslt{\*\do{\dptxbxtext "
    r"gone2\par}}}} kept2\par kept4",
    "WordArt": r"kept1{\shp{\*\shpinst{\sp{\sn gtextUNICODE}{\sv kept2}}}}\par",
    "notes": r"kept1{\footnote aside1{\i  aside2}} kept2{\*\atnid gone1}{\*\annotation aside3}\par{\header "
    r"aside4\par}",
    "a watermark": r"{\header{\shp{\*\shpinst{\sp{\sn gtextUNICODE}{\sv aside1}}}}\par}kept1\par",
    "a note of LibreOffice": r"kept1{\*\footnote aside1} kept2",
    "two forms": r"{\upr{gone1}{\*\ud{kept1}}} kept2",
    "a field": r"{\field{\*\fldinst HYPERLINK gone1}{\fldrslt kept1}} {\*\generator gone2}kept2",
    "a table": r"\trowd\cellx1\pard\intbl kept1\cell kept2\cell\row\pard kept3{\listtext kept4\tab}kept5\par",
    "a picture": r"kept1{\*\shppict{\pict 00ff}}{\nonshppict{\pict gone1}}{\object{\*\objdata 00}{\result "
    r"kept2}}",
    "too many ends": r"{\i kept1}}} kept2",
}  # fmt: skip
_PAGES = {
    "hidden": "<p>kept1 <span hidden>aside1</span><span style='display:none'>aside2</span> kept2</p>",
    "hidden by a style": "<style>.x{display:none}</style><p>kept1</p><p class='x'>aside1</p><p>kept2</p>",
    "a template": "<template>aside1</template><noscript>kept1</noscript><dialog>aside2</dialog>"
    "<script>gone1</script>",
    "words of a style": "<style>p.x::before{content:'kept1 '}p.x:after{content:\" kept3\"}</style><p "
    "class='x'>kept2",
    "pictures": "<img alt='aside1'><svg><title>aside2</title><text>aside3</text></svg><p>kept1</p>",
    "a picture with two texts": "<p>kept1<img alt='aside1' title='aside2'></p>",
    "tooltips": "<p>kept1 <abbr title='aside1'>kept2</abbr></p>",
    "a form": "<p>kept1 <input value='kept2'><select><option>kept3</select><textarea>kept4</textarea>",
    "details": "<details><summary>kept1</summary>kept2</details><figure><img><figcaption>kept3</figcaption>"
    "</figure>",
    "a heading of blocks": "<h1><div>kept1</div><div>kept2</div></h1><p>kept3",
    "tags left open": "<p>kept1<div>kept2<p>kept3<b>kept4</p>kept5",
    "no body": "kept1 <head>kept2<body>kept3",
    "lists": "<ol start='3'><li>kept1<ul><li>kept2</ul><li><p>kept3</p></ol><dl><dt>kept4<dd>kept5</dl>",
    "CDATA": "<p>kept1<![CDATA[ kept2]]><!-- gone1 --></p>",
    "a formula": "<p>kept1 <math><mi>kept2</mi><annotation encoding='TeX'>gone1</annotation></math></p>",
    "ruby": "<ruby>kept1<rp>(</rp><rt>kept2</rt><rp>)</rp></ruby><q>kept3<q>kept4</q></q>",
    "notes": "<p>kept1<a epub:type='noteref' href='#n'>1</a></p><aside epub:type='footnote' id='n'>aside1"
    "</aside>",
    "a hidden picture": "<p>kept1<img style='display:none' alt='aside1'>kept2<br hidden></p><h1>kept3</h1>",
    "hidden elements left open": "<p hidden>aside1<p>kept1<ul><li hidden>aside2<ul><li>aside3</ul><li>kept2"
    "<li hidden>aside4</ul><table><tr hidden><td>aside5<tr><td>kept3</table><p hidden>aside6<h1>kept4</h1>",
    "words that lead to a note": "<p>kept1 <a epub:type='noteref' href='#n'>kept2</a> kept3<a "
    "epub:type='noteref'>[<sup>12</sup>]</a></p>",
    "rules at times": "<style>@charset 'x';.a{display:none}@media amzn-mobi{.b{display:none}}@media screen, "
    "print{.c{display:none}}@media (width > 1px){.d{display:none}}.e{font-style:italic</style><p "
    "class='a'>aside1</p><p class='b'>kept1</p><p class='c'>aside2</p><p class='d'>kept2",
    "rules that others replace": "<style>.a{display:none}.a{display:block}.b{display:none}.c{display:none "
    "!important}</style><p class='a'>kept1</p><p class='b' style='display:inline'>kept2</p><p class='c' "
    "style='display:inline'>aside1</p><p style='backface-visibility:hidden'>kept3</p>",
    "entities": "<p>kept&#49; &bogus; kept2&nbsp;&#x6b;ept3</p>",
}  # fmt: skip
_MARKDOWN = {
    "dialogue for front matter": "---\nkept1: kept2\n---\n\nkept3",
    "a letter for front matter": "---\nFrom: kept1\nTo: kept2\nDate: kept3\n---\n\nkept4",
    "front matter without a title": "---\ndate: aside1\ntags: aside2\n---\n\nkept1",
    "pictures and links in HTML": "kept1 <img alt='aside1 &amp;' title=aside2> <a href='gone1' "
    'title="aside3">kept2</a> <img src=x> <!-- <b title="aside4"> --> kept3',
    "other keys": "---\ntitle: T\nmood: aside1\nlist:\n- aside2\n---\n\nkept1",
    "CDATA": "kept1 <![CDATA[kept2 < &]]> kept3\n\n<![CDATA[\nkept4\n]]>",
    "words at a fence": "``` kept1 kept2\nkept3\n```\n\n~~~aside1\nkept4\n~~~",
    "blocks of HTML": "<div class='gone1'>\nkept1\n\n*kept2*\n</div>\n\n<p hidden>aside1</p>\n<!-- aside2 "
    "-->\n\nkept3",
    "a table": "| kept1 | kept2 |\n|---|---|\n| kept3 | kept4 | aside1 |",
    "verse": "| kept1\n| kept2\n|\n| kept3\n",
    "definitions": "kept1\n: kept2\n\n[kept3]: kept4 kept5\n\n[^kept6]: kept7",
    "notes and links": "kept1[^n] [kept2](http://a.b 'aside1') ![aside2](c.png)\n\n[^n]: aside3",
    "raw marks": "`kept1`{=kept2} \\*kept3\\* kept4\\\nkept5 {#kept6 .kept7}\n\n::: kept8\nkept9\n:::",
    "brackets": "<Kept> kept1 <kept2 kept3>\n\n<kept4>\n\n<b>kept5</b>",
    "lists": "3) kept1\n4) kept2\n   - kept3\n\n     kept4\n",
    "a rule below": "---\nkept1\n---\n\nkept2\n===\n\nkept3\n---",
}  # fmt: skip
_CASES = [
    *(
        (f"docx: {name}", "docx", docx(*([case[0]] if isinstance(case, tuple) else [case]),
                                        **(case[1] if isinstance(case, tuple) else {})), str(case))
        for name, case in _WORD.items()
    ),
    *((f"odt: {name}", "odt", _odt, body) for name, body in _OPENDOCUMENT.items() for _odt in (body,)),
    *((f"rtf: {name}", "rtf", rf"{{\rtf1\ansi {body}}}".encode(), body) for name, body in _RTF.items()),
    *((f"{kind}: {name}", kind, body, body) for name, body in _PAGES.items() for kind in ("html", "epub")),
    *((f"md: {name}", "md", body.encode(), body) for name, body in _MARKDOWN.items()),
]  # fmt: skip
_OPF = (
    '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="a" href="a.xhtml" '
    'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>'
)


def file_of(kind: str, content: str | bytes) -> bytes:
    if isinstance(content, bytes):
        return content
    if kind == "odt":
        names = "xmlns:draw='urn:oasis:names:tc:opendocument:xmlns:drawing:1.0'"
        return odt(f"<text:section {names}>{content}</text:section>")
    if kind == "html":
        return content.encode()
    container = "<container><rootfiles><rootfile full-path='b.opf'/></rootfiles></container>"
    members = {"mimetype": "application/epub+zip", "META-INF/container.xml": container, "b.opf": _OPF}
    return packed({**members, "a.xhtml": content})


@pytest.mark.parametrize(
    ("kind", "content", "source"), [one[1:] for one in _CASES], ids=[one[0] for one in _CASES]
)
def test_no_visible_word_is_lost_moved_or_doubled(
    kind: str, content: str | bytes, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"a.{kind}"
    path.write_bytes(file_of(kind, content))
    # the limits are for a process of its own, which would take most of the time here
    monkeypatch.setattr(manuscript_file, "sharing_cpu_time", lambda _: nullcontext())
    found = manuscript_file.manuscript_in(path, ResourceLimits())
    source = source.replace("kept&#49;", "kept1").replace("&#x6b;ept3", "kept3").replace("kep<", "kept1<")
    kept = sorted(set(re.findall(r"kept\d", source)))
    assert re.findall(r"kept\d", found.text) == kept
    aside = sorted(set(re.findall(r"aside\d", source)))
    assert sorted(re.findall(r"aside\d", found.left_out_text)) == aside
    assert not re.search(r"aside\d", found.text)
    assert "gone" not in found.text + found.left_out_text
    if aside:
        assert sum(number for _, number in found.left_out) > 0
