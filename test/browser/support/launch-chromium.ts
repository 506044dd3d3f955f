import { type Browser, chromium } from "playwright-core";
import { scratchRoot } from "../../support/scratch-root.ts";
import { type Fonts, unpackChromium } from "./unpack-chromium.ts";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--no-pings",
];
/** The pages of tests live for seconds: to optimize their code takes more processor time than it saves. */
const SHORT_LIVED = ["--js-flags=--no-turbofan --no-maglev"];

/** Real Chromium from npm, with its web security as users have it; works as any user and without a network. What measures names its own arguments. */
export async function launchChromium(
  fonts: Fonts = "japanese",
  more: readonly string[] = SHORT_LIVED,
): Promise<Browser> {
  const files = await unpackChromium();
  return await chromium.launch({
    executablePath: files.executable,
    args: [...ARGUMENTS, ...more],
    env: {
      ...process.env,
      TMPDIR: scratchRoot(), // for memory that its processes share: a file for each tile of a page
      LD_LIBRARY_PATH: [files.libraries, process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":"),
      FONTCONFIG_FILE: files.fontsFile[fonts],
    },
  });
}
