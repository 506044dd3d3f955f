import { Readable } from "node:stream";
import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { openExportFile } from "./open-export-file.ts";
import { fileParams, fileQuery } from "./schema.ts";

/** Registers `GET /exports/<uid>.csv`: the file of an export, for anybody with a signed URL of the last hour (interface.md 6.4). */
export function exportFileRoutes(app: App, deps: Deps): void {
  app.get(
    "/exports/:file",
    {
      config: { open: true },
      schema: {
        summary: "Fetch the file of an export",
        description: "The signed address of a delivery or of an export that was read.",
        tags: ["Exports"],
        params: fileParams,
        querystring: fileQuery,
      },
    },
    async (request, reply) => {
      const { expires = "", signature = "" } = request.query;
      const uid = request.params.file.slice(0, -".csv".length);
      const file = await openExportFile(deps, { uid, expires, signature });
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-length", String(file.byteCount))
        .header("content-disposition", `attachment; filename="${file.name}"`)
        .header("cache-control", "private, no-store")
        .send(Readable.from(file.pieces, { objectMode: false }));
    },
  );
}
