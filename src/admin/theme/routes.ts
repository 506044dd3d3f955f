import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { invalid, Problem } from "../../problems.ts";
import { CONTRAST_MIN, contrastWithWhite, LOGO_MAX_BYTES } from "../../wire/theme.ts";
import { cleanPng } from "./clean-png.ts";
import { selectLogo, selectTheme, writeTheme } from "./queries.ts";
import { logoQuery, type ThemeBody, themeAnswer, themeBody } from "./schema.ts";

/** `/theme`: the store's colour and logo in the dashboard. Both are visible without signing in. */
export function themeAdminRoutes(app: App, deps: Deps): void {
  app.get(
    "/theme",
    { config: { permission: "view" }, schema: { hide: true, response: { 200: themeAnswer } } },
    async () => ({ data: await selectTheme(deps.db) }),
  );
  app.put(
    "/theme",
    { config: { permission: "theme.change" }, schema: { hide: true, body: themeBody, response: { 200: themeAnswer } } },
    async ({ body }) => {
      await changeTheme(deps, body);
      return { data: await selectTheme(deps.db) };
    },
  );
  app.get(
    "/theme/logo.png",
    { config: { open: true }, schema: { hide: true, querystring: logoQuery } },
    async (request, reply) => {
      const { logo: name } = await selectTheme(deps.db);
      if (name === null) throw new Problem("not_found");
      const etag = `"${name}"`;
      reply
        .header("content-security-policy", "default-src 'none'; sandbox")
        .header("cache-control", "public, max-age=86400")
        .header("etag", etag);
      if (isKnown(request.headers["if-none-match"], etag)) return reply.code(304).send();
      return reply.header("content-type", "image/png").send(await selectLogo(deps.db));
    },
  );
}

/** Whether the browser already has the version of an ETag. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const known = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}

/** Accepts a colour on which white text is legible, and stores only the picture of a logo. Throws `invalid`, naming the field. */
async function changeTheme(deps: Pick<Deps, "db">, body: ThemeBody): Promise<void> {
  const color = body.color?.toLowerCase() ?? null;
  if (color !== null && contrastWithWhite(color) < CONTRAST_MIN)
    throw invalid("/color", `expected a darker colour: white text on it has a contrast below ${CONTRAST_MIN} : 1`);
  const logo = typeof body.logo === "string" ? pictureOf(body.logo) : body.logo;
  await deps.db.tx((tx) => writeTheme(tx, { color, logo }));
}

function pictureOf(text: string): Buffer {
  const file = Buffer.from(text, "base64");
  if (file.length > LOGO_MAX_BYTES) throw invalid("/logo", `expected at most ${LOGO_MAX_BYTES / 1_024} KB`);
  const result = cleanPng(file);
  if ("detail" in result) throw invalid("/logo", result.detail);
  return result.png;
}
