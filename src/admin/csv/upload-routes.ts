import type { Readable } from "node:stream";
import { storeUpload, UPLOAD_BYTES_MAX } from "../../csv/store-upload.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { readImport } from "./read-import.ts";
import { importAnswer, uploadQuery } from "./schema.ts";

/** `POST /imports`: the bytes of a file as the body, of any media type. They stream into the database and are never whole in memory. */
export function uploadAdminRoutes(app: App, deps: Deps): void {
  app.register((scope: App, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, parsed) => parsed(null, payload));
    scope.post(
      "/imports",
      {
        config: { permission: "imports.run" },
        bodyLimit: UPLOAD_BYTES_MAX,
        schema: { hide: true, querystring: uploadQuery, response: { 201: importAnswer } },
      },
      async (request, reply) => {
        const { kind, name } = request.query;
        const body = request.body as Readable | undefined; // cast: what the parser above hands on
        const upload = { kind, fileName: name, bytes: body ?? emptyBody(), by: request.staff };
        const { uid } = await storeUpload(deps, upload);
        return reply.status(201).send(await readImport(deps, uid, request.staff));
      },
    );
    done();
  });
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
