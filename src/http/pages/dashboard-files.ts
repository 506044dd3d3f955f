import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../config.ts";
import type { App } from "../app-type.ts";
import { DASHBOARD_FOLDER as DIST } from "../dashboard-folder.ts";
import { publicPath } from "../public-path.ts";
import { dashboardPolicy } from "../security-headers.ts";
import { filesOfPage, type PageFiles, preloadLinks } from "./page-files.ts";

const NONCE_BYTES = 18;
const NONCE_PLACE = "__NONCE__";
const PATH_PLACE = "__PATH__";
/** How the build refers to its files in the page: relative to it. The page is served at many addresses. */
const ASSETS = '"./assets/';
const YEAR_MS = 365 * 86_400_000;
const WIDGET_MS = 3_600_000;

const UNBUILT = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Pointkeeper</title></head>
  <body><h1>The dashboard is not built</h1><p>Run <code>npm run build</code>, then load this page again.</p></body>
</html>
`;

/**
 * Serves the dashboard's files. Every address below `/admin` that belongs neither to the API nor to a file returns the one page, whose script knows
 * the addresses. Each load has its own nonce, with which the page's library may write style elements. The output of `npm run build` is read again at
 * each load of the page, so it may be built while the service runs.
 */
export function registerDashboard(app: App, { publicUrl }: Pick<Config, "publicUrl">): void {
  const path = publicPath(publicUrl);
  app.register((scope, _options, done) => {
    const open = { config: { open: true }, schema: { hide: true } } as const;
    const page = { config: { open: true, isPage: true }, schema: { hide: true } } as const;
    scope.register(fastifyStatic, { serve: false, preCompressed: true });
    scope.get("/", open, (_request, reply) => reply.redirect(`${path}/admin`, 302));
    scope.get("/admin/assets/:file", page, sendAsset);
    scope.get("/widget.js", page, sendWidget);
    scope.get("/admin/licenses.md", page, (_request, reply) =>
      reply.type("text/markdown; charset=utf-8").sendFile("licenses.md", DIST, { cacheControl: false }),
    );
    scope.get("/admin", page, (request, reply) => sendPage(request, reply, path));
    scope.get("/admin/*", page, (request, reply) => sendPage(request, reply, path));
    done();
  });
}

/** Files are named by their content, so a browser may keep them for ever; compressed versions are stored beside them. */
function sendAsset(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { file } = Object(request.params);
  const options = { immutable: true, maxAge: YEAR_MS, dotfiles: "deny", index: false } as const;
  return reply.sendFile(String(file), join(DIST, "assets"), options);
}

/** Sends the script of docs/widget.md, which any page may load: it contains no data. Cached for an hour, so that it follows a release. */
function sendWidget(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.header("access-control-allow-origin", "*").header("cross-origin-resource-policy", "cross-origin");
  return reply.sendFile("widget.js", join(DIST, "widget"), { maxAge: WIDGET_MS, index: false });
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, path: string): Promise<FastifyReply> {
  const asked = request.url.split("?", 1)[0] ?? "";
  if (asked === "/admin/api" || asked.startsWith("/admin/api/")) {
    reply.callNotFound();
    return reply;
  }
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const [html, pages] = await Promise.all([readPage(), readPageFiles()]);
  const base = `${escapedPath(path)}/admin`;
  const assets = `${base}/assets`;
  const links = preloadLinks(filesOfPage(pages, asked.slice("/admin".length)), base);
  return reply
    .code(html === UNBUILT ? 503 : 200)
    .header("content-security-policy", dashboardPolicy(nonce))
    .header("content-type", "text/html; charset=utf-8")
    .header("cache-control", "no-store")
    .send(
      html
        .replace(NONCE_PLACE, nonce)
        .replace(PATH_PLACE, escapedPath(path))
        .replaceAll(ASSETS, `"${assets}/`)
        .replace("</head>", `${links}</head>`),
    );
}

/** Returns a path as the value of an HTML attribute: URLs encode quotes and angle brackets, but not this character. */
function escapedPath(path: string): string {
  return path.replaceAll("&", "&amp;");
}

async function readPageFiles(): Promise<readonly PageFiles[]> {
  const text = await readFile(join(DIST, "pages.json"), "utf8").catch(() => "[]");
  return JSON.parse(text);
}

async function readPage(): Promise<string> {
  try {
    return await readFile(join(DIST, "index.html"), "utf8");
  } catch {
    return UNBUILT;
  }
}
