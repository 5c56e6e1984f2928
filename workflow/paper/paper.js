// What paper and Markdown cannot do: enlarge a figure, sort and copy a table, keep the place in the contents.
"use strict";

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

const outOfSight = (text) => element("span", {className: "out-of-sight"}, text);
const nameOf = (caption, otherwise) => caption?.querySelector("strong")?.textContent.replace(/\.$/, "") ?? otherwise;

// Figures

const picture = element("img", {});
const close = element("button", {type: "button"}, "Close");
const dialog = element("dialog", {}, close, picture);
document.body.append(dialog);
close.addEventListener("click", () => dialog.close());

for (const figure of document.querySelectorAll("main figure")) {
  const name = nameOf(figure.querySelector("figcaption"), "figure");
  const image = figure.querySelector("img");
  if (!image) continue;
  const enlarge = element("button", {type: "button"}, "Enlarge", outOfSight(" " + name));
  enlarge.addEventListener("click", () => {
    picture.src = image.src;
    picture.alt = image.alt || image.getAttribute("aria-label");
    dialog.setAttribute("aria-label", name);
    dialog.showModal();
  });
  figure.prepend(element("p", {className: "tools"}, enlarge));
}

// Tables

const status = element("p", {className: "out-of-sight"});
status.setAttribute("role", "status");
document.body.append(status);

// What stands in a cell, numbers as other programs read them: -0.091, 1.7e-10.
function textOf(cell) {
  const tex = cell.querySelector("annotation");
  const text = (tex ? tex.textContent : cell.innerText || cell.textContent).trim();
  return text.replace(/^([\d.]+) \\times 10\^\{(-?\d+)\}$/, "$1e$2").replace(/^−(?=[\d.])/, "-");
}

const numberOf = (text) => (text === "" ? NaN : Number(text));

function compare(a, b) {
  const [x, y] = [numberOf(a), numberOf(b)];
  if (Number.isNaN(x) && Number.isNaN(y)) return a.localeCompare(b, "en", {numeric: true});
  return Number.isNaN(x) ? 1 : Number.isNaN(y) ? -1 : x - y;
}

function sort(table, column) {
  const headers = [...table.tHead.rows[0].cells];
  const order = headers[column].getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
  headers.forEach((header) => header.removeAttribute("aria-sort"));
  headers[column].setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const keyed = [...table.tBodies[0].rows].map((row) => [textOf(row.cells[column]), row]);
  keyed.sort((a, b) => (a[0] === "") - (b[0] === "") || sign * compare(a[0], b[0]));  // blanks last
  table.tBodies[0].append(...keyed.map((pair) => pair[1]));
}

function csvOf(table) {
  const quoted = (text) => (/[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text);
  const cells = (row) => [...row.cells].map((cell) => quoted(textOf(cell)));
  return [...table.rows].map((row) => cells(row).join(",") + "\n").join("");
}

// Whether it could be copied.
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch { // an old browser, or one that keeps its clipboard from files
    const area = element("textarea", {value: text});
    const focus = document.activeElement;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    focus.focus();
    return copied;
  }
}

for (const table of document.querySelectorAll("main table")) {
  const name = nameOf(table.caption, "table");
  const button = element("button", {type: "button"}, "Copy as CSV", outOfSight(" " + name));
  button.addEventListener("click", async () => {
    const copied = await copy(csvOf(table));
    status.textContent = name + (copied ? " is copied." : " could not be copied.");
    button.firstChild.textContent = copied ? "Copied" : "Not copied";
    setTimeout(() => (button.firstChild.textContent = "Copy as CSV"), 2000);
  });
  table.closest(".scroll").before(element("p", {className: "tools"}, button));
  [...(table.tHead?.rows[0]?.cells ?? [])].forEach((header, column) => {
    const sorter = element("button", {type: "button", title: "Sort by this column"}, ...header.childNodes);
    sorter.addEventListener("click", () => sort(table, column));
    header.append(sorter);
  });
}

// Contents

const contents = document.querySelector("nav details");
const wide = matchMedia("(min-width: 75rem)");
const fold = () => (contents.open = wide.matches);
fold();
wide.addEventListener("change", fold);
contents.addEventListener("click", (event) => {
  if (event.target.closest("a") && !wide.matches) contents.open = false;
});
contents.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !wide.matches) {
    contents.open = false;
    contents.querySelector("summary").focus();
  }
});

const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
const headings = [...document.querySelectorAll("main h2[id], main h3[id]")].filter((heading) => links.has(heading.id));
function markPlace() {
  const above = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
  links.forEach((link) => link.removeAttribute("aria-current"));
  if (above.length) links.get(above.at(-1).id).setAttribute("aria-current", "true");
}
addEventListener("scroll", markPlace, {passive: true});
markPlace();
