import { type Static, Type } from "typebox";
import { VIEW_LISTS, VIEW_NAME_MAX } from "../../wire/saved-views.ts";

const text = Type.String();
const list = Type.Enum([...VIEW_LISTS]);
const filters = Type.Record(Type.String({ maxLength: 40 }), Type.String({ minLength: 1, maxLength: 1_000 }), {
  maxProperties: 10,
});

export const viewsQuery = Type.Object({ list });
export const viewParams = Type.Object({ uid: Type.String({ format: "uuid", expected: "the id of a saved view" }) });
const name = Type.String({ minLength: 1, maxLength: VIEW_NAME_MAX, pattern: "\\S" });
export const viewBody = Type.Object(
  { list, name, filters, is_shared: Type.Boolean() },
  { additionalProperties: false },
);
export const viewChangeBody = Type.Object(
  { name: Type.Optional(name), filters: Type.Optional(filters) },
  { additionalProperties: false, minProperties: 1 },
);

const view = Type.Object({
  uid: text,
  name: text,
  filters: Type.Record(Type.String(), Type.String()),
  is_shared: Type.Boolean(),
  by: Type.String({ description: "Who saved it." }),
  is_own: Type.Boolean(),
  can_change: Type.Boolean({ description: "Whether the reader may rename, replace or remove it." }),
});
export const defaultViewSchema = Type.Object({
  list,
  uid: text,
  filters: Type.Record(Type.String(), Type.String()),
});
export const viewsAnswer = Type.Object({ data: Type.Array(view) });
export const savedViewAnswer = Type.Object({ data: Type.Object({ uid: text }) });
export const viewDoneAnswer = Type.Object({ data: Type.Object({}) });

export type ShownDefaultView = Static<typeof defaultViewSchema>;
export type ShownView = Static<typeof view>;
