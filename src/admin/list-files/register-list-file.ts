import { Readable } from "node:stream";
import { type TObject, Type } from "typebox";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { type ListFile, openListFile } from "./open-list-file.ts";

const encoding = Type.Optional(
  Type.Enum(["utf-8", "utf-8-bom"], { description: "With a byte order mark spreadsheets read it as UTF-8." }),
);

/** Registers the file of a list, with the list's filters but without a position. */
export function registerListFile<Query extends TObject, Row>(deps: Deps, app: App, file: ListFile<Query, Row>): void {
  const { after: _after, ...filters } = file.query.properties;
  const querystring = Type.Object({ ...filters, encoding });
  app.get(
    `${file.path}.csv`,
    { config: { permission: file.permission }, schema: { hide: true, querystring } },
    async (request, reply) => {
      const given = request.query as Record<string, string>; // cast: the schema contains texts only
      const form = given.encoding;
      // the audit log gets no parameter that the list does not know
      const query = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(filters, name)));
      const { name, pieces } = await openListFile(deps, file, { query, hasMark: form === "utf-8-bom" });
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="${name}"`)
        .header("cache-control", "private, no-store")
        .send(Readable.from(pieces, { objectMode: false }));
    },
  );
}
