import { Readable } from "node:stream";
import { Type } from "typebox";
import type { Feature } from "../../src/app.ts";
import { customerField } from "../../src/http/customer-ref.ts";
import { runIdempotent } from "../../src/http/idempotency/run-idempotent.ts";
import { pagingFields, parsePaging } from "../../src/http/paging.ts";
import { Problem } from "../../src/problems.ts";

const bodySchema = Type.Object({
  customer_id: Type.Optional(customerField),
  point_value: Type.Integer({ minimum: -9_007_199_254_740_991, maximum: 9_007_199_254_740_991 }),
  note: Type.Optional(Type.Union([Type.String({ maxLength: 5 }), Type.Null()])),
});

export interface Probe {
  readonly routes: Feature;
  /** How often the work of `POST /probe` ran. */
  runs(): number;
  /** How many pieces of `GET /probe/file`, which has 100, were made. */
  pieces(): number;
  /** The next runs of the work wait for this. */
  hold(until: Promise<void>): void;
}

/** Routes under `/api/storefront` that write one row of the table `probe` and return the number of rows. */
export function createProbe(): Probe {
  let runs = 0;
  let pieces = 0;
  let held: Promise<void> = Promise.resolve();
  async function* file(): AsyncGenerator<string> {
    for (let i = 0; i < 100; i++) {
      pieces++;
      yield "x";
    }
  }
  const routes: Feature = (app, deps) => {
    app.post("/probe", { config: { scope: "write" }, schema: { body: bodySchema } }, (request, reply) =>
      runIdempotent(deps, request, reply, async (tx) => {
        runs++;
        await tx.execute("insert into probe (value) values ($1)", [request.body.point_value]);
        await held;
        if (request.body.point_value < 0) throw new Problem("negative_balance");
        if (request.body.point_value === 500) throw new Error("a bug with a secret in it");
        const [row] = await tx.query<{ rows: bigint }>("select count(*) as rows from probe");
        return { status: 200, body: { data: { rows: row?.rows ?? 0n, sent: request.body } } };
      }),
    );
    app.get("/probe", { config: { scope: "read" }, schema: { querystring: Type.Object(pagingFields) } }, (request) => ({
      data: parsePaging(request.query),
    }));
    app.get(
      "/probe/:customer",
      {
        config: { scope: "read" },
        schema: { params: Type.Object({ customer: Type.String({ minLength: 1, maxLength: 1_000 }) }) },
      },
      (request) => ({ data: request.params.customer }),
    );
    app.get("/probe/file", { config: { scope: "read" } }, (_request, reply) => reply.send(Readable.from(file())));
    app.post("/probe/raw", { config: { scope: "intake", rawBody: true } }, (request) => ({
      bytes: request.rawBody?.length,
    }));
  };
  return {
    routes,
    runs: () => runs,
    pieces: () => pieces,
    hold: (until) => {
      held = until;
    },
  };
}

export const CREATE_PROBE_TABLE = "create table if not exists probe (value bigint not null)";
