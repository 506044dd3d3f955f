const SCHEME = "data-mantine-color-scheme";

/** Prints a page in dark colours as in the light ones, because paper is white. Returns a function that stops it. */
export function printInLight(): () => void {
  const page = document.documentElement;
  let shown: string | null = null;
  const before = () => {
    shown ??= page.getAttribute(SCHEME);
    page.setAttribute(SCHEME, "light");
  };
  const after = () => {
    if (shown !== null) page.setAttribute(SCHEME, shown);
    shown = null;
  };
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
  return () => {
    removeEventListener("beforeprint", before);
    removeEventListener("afterprint", after);
  };
}
