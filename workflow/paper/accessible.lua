-- What readers need who do not see the page, or have no mouse, and what pandoc's writers leave out.

-- The first column of a table heads its rows. In HTML a table that is too wide scrolls inside a region of its own,
-- which a keyboard reaches; in the PDF a table that fits on a page is not broken over two.
function Table(tbl)
  local rows = 0
  for _, body in ipairs(tbl.bodies) do
    body.row_head_columns = 1
    rows = rows + #body.body
  end
  if FORMAT:match("html") then
    local name = pandoc.utils.stringify(tbl.caption.long):match("^[^.]+") or "Table"
    -- Pairs, since a Lua table of keys comes out in another order each time.
    local attributes = {{"role", "region"}, {"tabindex", "0"}, {"aria-label", name}}
    return pandoc.Div({tbl}, pandoc.Attr("", {"scroll"}, attributes))
  elseif rows < 25 then
    return pandoc.Div({tbl}, pandoc.Attr("", {}, {["typst:breakable"] = "false"}))
  end
  return tbl
end

-- In the PDF an image keeps its alternative text, and its path starts at the folder of the results.
function Image(image)
  if FORMAT == "typst" then
    local path = image.src:gsub("^%.%./", "/")
    return pandoc.RawInline("typst", string.format("#image(%q, alt: %q)", path, pandoc.utils.stringify(image.caption)))
  end
end

