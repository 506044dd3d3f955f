import { Readable } from "node:stream";
import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import type { App } from "../../http/app-type.ts";
import { endUnread } from "../../http/limits/end-unread.ts";
import { decodeCursor, encodeCursor } from "../../http/paging.ts";
import { runRead } from "../../http/run-read.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { deleteSegment } from "../../segments/delete-segment.ts";
import { previewSegment } from "../../segments/preview-segment.ts";
import { requestSegmentList } from "../../segments/request-segment-list.ts";
import { saveSegment } from "../../segments/save-segment.ts";
import { type Segment, selectSegment, selectSegments } from "../../segments/segment-queries.ts";
import { type Cursor, pageOf, readAfter } from "../list.ts";
import { bulkAdminRoutes } from "./bulk-routes.ts";
import { filterOfBody } from "./filter-names.ts";
import { FIRST_PLACE, type ListPlace, selectSegmentPage } from "./queries.ts";
import {
  type SegmentCustomersAnswer,
  segmentAnswer,
  segmentBody,
  segmentCustomersAnswer,
  segmentCustomersQuery,
  segmentParams,
  segmentPreviewAnswer,
  segmentPreviewBody,
  segmentsAnswer,
} from "./schema.ts";
import { viewSegment, viewSegmentCustomer } from "./view.ts";
import { writeSegmentFile } from "./write-segment-file.ts";

const view = { permission: "view" } as const;
const change = { permission: "segments.change" } as const;
const one = { hide: true, params: segmentParams, response: { 200: segmentAnswer } } as const;

/** Routes of segments: saved filters of customers, their lists, and actions on a complete list. */
export function segmentsAdminRoutes(app: App, deps: Deps): void {
  listRoutes(app, deps);
  fileRoute(app, deps);
  bulkAdminRoutes(app, deps);
  app.post(
    "/segments",
    { config: change, schema: { hide: true, body: segmentBody, response: { 201: segmentAnswer } } },
    async ({ body: { name, filter }, staff }, reply) => {
      const uid = await saveSegment(deps, { uid: null, name, filter: filterOfBody(filter), by: staff.name });
      return reply.status(201).send({ data: viewSegment(await find(deps, uid)) });
    },
  );
  app.put("/segments/:uid", { config: change, schema: { ...one, body: segmentBody } }, async (request) => {
    const { name, filter, revision } = request.body;
    const { uid } = request.params;
    await saveSegment(deps, { uid, name, filter: filterOfBody(filter), by: request.staff.name, revision });
    return { data: viewSegment(await find(deps, uid)) };
  });
  app.post("/segments/:uid/count", { config: change, schema: one }, async ({ params: { uid } }) => {
    await requestSegmentList(deps, uid);
    return { data: viewSegment(await find(deps, uid)) };
  });
  app.delete(
    "/segments/:uid",
    { config: change, schema: { hide: true, params: segmentParams } },
    async (request, reply) => {
      await deleteSegment(deps, request.params.uid);
      return reply.status(204).send();
    },
  );
}

function listRoutes(app: App, deps: Deps): void {
  app.get("/segments", { config: view, schema: { hide: true, response: { 200: segmentsAnswer } } }, async () => {
    const [segments, program] = await Promise.all([selectSegments(deps.db), readProgram(deps.db)]);
    return { data: segments.map(viewSegment), tiers: program.tiers.rules.map(({ uid, name }) => ({ uid, name })) };
  });
  app.get("/segments/:uid", { config: view, schema: one }, async ({ params }) => {
    return { data: viewSegment(await find(deps, params.uid)) };
  });
  app.post(
    "/segments/preview",
    { config: view, schema: { hide: true, body: segmentPreviewBody, response: { 200: segmentPreviewAnswer } } },
    async (request, reply) => {
      const filter = filterOfBody(request.body.filter);
      const found = await runRead(deps, [request, reply], (from) => previewSegment(from, filter));
      return { data: { customers: found.customers, is_exact: found.isExact } };
    },
  );
  app.get(
    "/segments/:uid/customers",
    {
      config: view,
      schema: {
        hide: true,
        params: segmentParams,
        querystring: segmentCustomersQuery,
        response: { 200: segmentCustomersAnswer },
      },
    },
    ({ params, query }) => listSegment(deps, params.uid, query.after),
  );
}

/** The number of files that are read at once: each has a connection of the database for as long as its client takes to download it. */
const FILES_MAX = 2;
const FILES_RETRY_S = 30;

function fileRoute(app: App, deps: Deps): void {
  let files = 0;
  app.get(
    "/segments/:uid/customers.csv",
    {
      config: { permission: "lists.export" },
      exposeHeadRoute: false,
      schema: { hide: true, params: segmentParams },
    },
    async ({ raw, params: { uid } }, reply) => {
      const { shownGeneration, countedAt } = await find(deps, uid);
      if (shownGeneration === null || countedAt === null) throw new Problem("not_found");
      if (raw.socket.destroyed) throw new Problem("unavailable"); // its `close` is over: the file would count for ever
      if (files >= FILES_MAX) throw new Problem("unavailable", { retryAfterS: FILES_RETRY_S });
      files += 1;
      endUnread(reply.raw);
      reply.raw.once("close", () => {
        files -= 1;
      });
      await recordAction(deps.db, deps, { action: "segment.exported", subject: { kind: "segment", id: uid } });
      const pieces = writeSegmentFile(deps, { uid, generation: shownGeneration });
      return reply
        .header("content-type", "text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="segment-${countedAt.toString().slice(0, 10)}.csv"`)
        .header("cache-control", "private, no-store")
        .send(Readable.from(pieces, { objectMode: false }));
    },
  );
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const placeCursor: Cursor<ListPlace> = {
  format: ({ bucket, customerUid }) => encodeCursor([String(bucket), customerUid]),
  parse: (text) => {
    const [bucket = "", customerUid = ""] = decodeCursor(text) ?? [];
    return /^\d{1,3}$/.test(bucket) && UUID.test(customerUid) ? { bucket: Number(bucket), customerUid } : null;
  },
};

/** Returns a page of a segment's list, by key; empty until it is counted. Throws `not_found`, and `invalid` for `after`. */
async function listSegment(
  deps: Pick<Deps, "db">,
  uid: string,
  after: string | undefined,
): Promise<SegmentCustomersAnswer> {
  const { position } = withoutFaults(readAfter(after, placeCursor));
  const { shownGeneration } = await find(deps, uid);
  if (shownGeneration === null) return { data: [], next: null };
  const [found, program] = await Promise.all([
    selectSegmentPage(deps.db, { uid, generation: shownGeneration }, position ?? FIRST_PLACE),
    readProgram(deps.db),
  ]);
  const { rows, next } = pageOf(found, placeCursor.format);
  return { data: rows.map((row) => viewSegmentCustomer(row, program)), next };
}

async function find(deps: Pick<Deps, "db">, uid: string): Promise<Segment> {
  const found = await selectSegment(deps.db, uid);
  if (found === undefined) throw new Problem("not_found");
  return found;
}
