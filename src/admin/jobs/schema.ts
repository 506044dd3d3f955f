import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";

const nullableText = Nullable(Type.String());
const outcome = Nullable(
  Type.String({ description: "`done`, `failed`, `stopped`; null: it runs, or its process died." }),
);

const runFields = {
  started_at: nullableText,
  duration_ms: Nullable(Type.Integer()),
  outcome,
  items: Nullable(Type.Integer()),
  error: nullableText,
};

const jobRow = Type.Object({
  name: Type.String(),
  timing: Type.Enum(["machine", "store"], { description: "By whose clock it is due." }),
  next_at: Nullable(Type.String({ description: "Null: never." })),
  is_late: Type.Boolean({ description: "It was due minutes ago and has not begun." }),
  is_running: Type.Boolean(),
  is_asked: Type.Boolean({ description: "A run was requested and has not begun." }),
  can_run: Type.Boolean({ description: "It is scheduled at all." }),
  runs: Type.Integer(),
  failures: Type.Integer(),
  failures_in_row: Type.Integer(),
  ...runFields,
});
export const jobList = Type.Object({ data: Type.Array(jobRow) });

export const jobParams = Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) });
export const runJobBody = Type.Object({});

const runRow = Type.Object({ uid: Type.String(), ...runFields });
export const jobAnswer = Type.Object({
  data: Type.Object({ ...jobRow.properties, history: Type.Array(runRow) }),
});
export const jobStartAnswer = Type.Object({ data: Type.Object({ name: Type.String() }) });

export type JobRow = Static<typeof jobRow>;
export type JobList = Static<typeof jobList>;
export type JobAnswer = Static<typeof jobAnswer>;
export type JobRunRow = Static<typeof runRow>;
