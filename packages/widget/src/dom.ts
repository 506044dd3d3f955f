/** The properties of a new element: `part` is its name for `::part` and its class for the style. */
interface Given {
  readonly part?: string;
  readonly class?: string;
  readonly text?: string;
  readonly [attribute: string]: string | undefined;
}

/** Creates an element. Text is never interpreted as HTML. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { text, class: classes, part, ...attributes }: Given = {},
  ...children: readonly Node[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (part !== undefined) element.setAttribute("part", part);
  const joined = [part, classes].filter((one) => one !== undefined).join(" ");
  if (joined !== "") element.className = joined;
  for (const [attribute, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(attribute, value);
  if (text !== undefined) element.textContent = text;
  element.append(...children);
  return element;
}

/** Writes a text only if it differs, so that a live region announces changes only. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
