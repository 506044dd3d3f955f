import classes from "./code-block.module.css";

/** A text of a machine, as it is; JSON with each field on a line of its own. The keyboard can scroll it. */
export function CodeBlock({ label, text }: { label: string; text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
    <section className={classes["block"]} tabIndex={0} aria-label={label}>
      <pre className={classes["code"]}>
        <code>{spread(text)}</code>
      </pre>
    </section>
  );
}

/** What would lose a digit of a long number on the way stays as it came. */
function spread(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text;
  } catch {
    return text;
  }
}
