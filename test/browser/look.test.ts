import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchChromium } from "./support/launch-chromium.ts";
import { lookAt } from "./support/look.ts";
import { watchPage } from "./support/watch-page.ts";

const STYLE = "<style nonce=n>body { background: #fff; color: #222; font: 16px system-ui }</style>";
const SOUND =
  "<h1>会員ランクとポイントの履歴</h1><p>Every line of this page can be read by everybody.</p>" +
  "<p>1 Mar 2026, id 2026-0300-1, <code>2026-03-01</code> <input type='date' aria-label='Day' value='2026-03-01'></p>";
const PAGES: Readonly<Record<string, string>> = {
  "/sound": SOUND,
  "/blank": `<h1 style="opacity: 0">Nothing of this is seen</h1>`,
  "/inline-script": `${SOUND}<script>document.title = "run"</script>`,
  "/pale": `${SOUND}<p><font color="#ddd">Hardly anybody reads this.</font></p>`,
  "/outside": `${SOUND}</main><p>This stands in no landmark.</p><main hidden>`,
  "/nameless-column": `${SOUND}<table><tr><th scope="col">Name</th><th scope="col"></th></tr><tr><td>a</td><td>b</td></tr></table>`,
  "/unlabelled": `${SOUND}<input>`,
  "/broken": `${SOUND}<script src="/throws.js"></script>`,
  "/raw-day": `${SOUND}<p>From 2026-03-01 on.</p>`,
  "/raw-month": `${SOUND}<label>Month <select><option>2026-03 · open</option></select></label>`,
  "/missing-image": `${SOUND}<img alt="a picture" src="/no-such.png">`,
  "/elsewhere": `${SOUND}<img alt="a picture" src="http://other.invalid/pixel.png">`,
};

let server: Server;
let browser: Browser;
let url: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? "";
    const body = PAGES[path];
    if (path === "/throws.js")
      return response.setHeader("content-type", "text/javascript").end("throw new Error('no')");
    if (body === undefined) return response.writeHead(path === "/favicon.ico" ? 204 : 404).end();
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'nonce-n'; style-src-attr 'unsafe-inline'; img-src *",
    });
    return response.end(`<!doctype html><html lang="ja"><title>A page</title>${STYLE}<main>${body}</main>`);
  });
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo; // cast: it listens on a port
  url = `http://127.0.0.1:${port}`;
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

async function look(path: string, by: Browser = browser): Promise<void> {
  const context = await by.newContext();
  const page = await context.newPage();
  const watch = watchPage(page, url);
  await page.goto(url + path);
  try {
    await lookAt(page, watch, `look${path.replace("/", "-")}`);
  } finally {
    await context.close();
  }
}

test("a sound page passes", async () => {
  await look("/sound");
});

test.each([
  ["/blank", /the page is blank/],
  ["/inline-script", /Content Security Policy/],
  ["/pale", /axe color-contrast/],
  ["/unlabelled", /axe label/],
  ["/outside", /axe region/],
  ["/nameless-column", /axe empty-table-header/],
  ["/raw-day", /as machines write it: From 2026-03-01 on\./],
  ["/raw-month", /as machines write it: 2026-03 · open/],
  ["/broken", /uncaught: Error: no/],
  ["/missing-image", /no-such\.png: 404/],
  ["/elsewhere", /asked another host: http:\/\/other\.invalid/],
])("%s fails", async (path, fault) => {
  await expect(look(path)).rejects.toThrow(fault);
});

test("the sound page fails where no font has Japanese", async () => {
  const poor = await launchChromium("latin");
  try {
    await expect(look("/sound", poor)).rejects.toThrow(/no glyph for 会 員/);
  } finally {
    await poor.close();
  }
});
