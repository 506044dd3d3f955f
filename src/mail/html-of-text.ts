const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const LINK = /https?:\/\/[^\s<>"'&]+(?:&amp;[^\s<>"'&]+)*/g;

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (found) => ESCAPES[found] ?? found);
}

/** Simple HTML of a plain text: paragraphs at empty lines, line breaks, and links; everything else is escaped. */
export function htmlOfText(text: string): string {
  return text
    .trim()
    .split(/\n{2,}/)
    .map((part) => `<p>${linked(escapeHtml(part)).replaceAll("\n", "<br>\n")}</p>`)
    .join("\n");
}

function linked(escaped: string): string {
  return escaped.replaceAll(LINK, (url) => `<a href="${url}">${url}</a>`);
}
