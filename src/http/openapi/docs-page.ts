import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { fastify } from "fastify";
import type { App } from "../app-type.ts";
import { DOCS_CONTENT_SECURITY_POLICY } from "../security-headers.ts";

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Pointkeeper API</title>
  </head>
  <body>
    <div id="reference"></div>
    <script src="docs/scalar.js"></script>
    <script src="docs/init.js"></script>
  </body>
</html>
`;

const INIT = `Scalar.createApiReference("#reference", {
  url: "openapi.json",
  agent: { disabled: true },
  showDeveloperTools: "never",
  telemetry: false,
  withDefaultFonts: false,
});
`;

/** Serves the reference page at `/docs`: Scalar from its package, nothing from another host. */
export function registerDocs(app: App): void {
  app.register((scope, _options, done) => {
    const open = { config: { open: true }, schema: { hide: true } } as const;
    scope.get("/docs", open, (_request, reply) =>
      reply
        .header("content-security-policy", DOCS_CONTENT_SECURITY_POLICY)
        .header("content-type", "text/html; charset=utf-8")
        .send(PAGE),
    );
    scope.get("/docs/init.js", open, (_request, reply) =>
      reply.header("content-type", "text/javascript; charset=utf-8").send(INIT),
    );
    scope.get("/docs/scalar.js", open, async (request, reply) => {
      script ??= readScript();
      const { plain, packed } = await script;
      const takesGzip = /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
      if (takesGzip) reply.header("content-encoding", "gzip");
      return reply
        .header("content-type", "text/javascript; charset=utf-8")
        .header("vary", "accept-encoding")
        .header("cache-control", "public, max-age=3600")
        .send(takesGzip ? packed : plain);
    });
    done();
  });
}

interface Script {
  readonly plain: Buffer;
  readonly packed: Buffer;
}

/** Four megabytes, loaded on demand because few processes are ever asked for them. */
let script: Promise<Script> | undefined;

/** Reads the script. The package gives it out only through its plugin, so it is requested from a server that never listens. */
async function readScript(): Promise<Script> {
  const scalar = await import("@scalar/fastify-api-reference");
  const source = fastify();
  await source.register(scalar.default, { routePrefix: "/docs", configuration: { url: "/openapi.json" } });
  const answer = await source.inject("/docs/js/scalar.js");
  await source.close();
  if (answer.statusCode !== 200) throw new Error("The reference page's script is not in its package any more.");
  const plain = answer.rawPayload;
  return { plain, packed: await promisify(gzip)(plain) };
}
