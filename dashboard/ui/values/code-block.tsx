import classes from "./code-block.module.css";

/** A technical text, unchanged; JSON with one field per line. The keyboard can scroll it. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
    <figure className={classes["block"]} tabIndex={0} aria-label={label}>
      <pre className={classes["code"]}>
        <code>{spread(text)}</code>
      </pre>
    </figure>
  );
}

/** A text in which a long number would lose a digit is not reformatted. */
function spread(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
