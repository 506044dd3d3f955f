import type { Readable } from "node:stream";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { allowLongBody, endLongBody } from "../../http/bodies/long-body.ts";
import { FILE_TOO_LARGE, storeUpload } from "../../imports/store-upload.ts";
import { recogniseUpload } from "../../moving-in/upload.ts";
import { Problem } from "../../problems.ts";
import { UPLOAD_BYTES_MAX } from "../../wire/split-command.ts";
import { readImport } from "./read-import.ts";
import { importAnswer, uploadQuery } from "./schema.ts";

/** The number of simultaneous uploads; a further one is asked to retry after some seconds. */
const UPLOADS_MAX = 4;
const RETRY_S = 15;
/** An upload has no time limit, but it may not pause for longer than this. */
const IDLE_MS = 60_000;

/** `POST /imports`: the body is the file, of any media type. It is streamed into the database and never held in memory as a whole. */
export function uploadAdminRoutes(app: App, deps: Deps): void {
  let uploads = 0;
  app.register((scope: App, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, payload, parsed) => parsed(null, payload));
    scope.post(
      "/imports",
      {
        config: { permission: "imports.run", tooLarge: FILE_TOO_LARGE },
        bodyLimit: UPLOAD_BYTES_MAX,
        schema: { hide: true, querystring: uploadQuery, response: { 201: importAnswer } },
      },
      async (request, reply) => {
        const { kind, name } = request.query;
        const body = request.body as Readable | undefined; // cast: the result of the parser above
        const plain = { kind, fileName: name, bytes: body ?? emptyBody(), by: request.staff };
        const recognise = (row: readonly string[]) => recogniseUpload(row, name, deps.clock.now());
        const upload = kind === "move" ? { ...plain, recognise } : plain;
        if (uploads >= UPLOADS_MAX) throw new Problem("unavailable", { retryAfterS: RETRY_S });
        uploads += 1;
        allowLongBody(request.raw.socket, IDLE_MS);
        try {
          const { uid } = await storeUpload(deps, upload);
          return reply.status(201).send(await readImport(deps, uid, request.staff));
        } finally {
          uploads -= 1;
          endLongBody(request.raw.socket);
        }
      },
    );
    done();
  });
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
