import { type Static, Type } from "typebox";
import { customerBody } from "../../customers/schema.ts";
import { Nullable } from "../../http/nullable.ts";
import { NOTE_LENGTH_MAX } from "../../wire/limits.ts";
import { TAG_LENGTH_MAX, TAGS_MAX } from "../../wire/profile-fields.ts";

const SEEN_MAX = 10_000;
const tags = Type.Array(Type.String({ minLength: 1, maxLength: TAG_LENGTH_MAX }), { maxItems: TAGS_MAX });
const { email, name, name_reading, birthday, accepts_marketing } = customerBody.properties;
const seenText = Type.Optional(Nullable(Type.String({ maxLength: SEEN_MAX })));

const changes = Type.Object(
  { email, name, name_reading, birthday, accepts_marketing, tags: Type.Optional(tags) },
  { additionalProperties: false },
);

/** The changed fields, and the values of those fields that the person saw before. */
export const profileBody = Type.Object(
  {
    changes,
    seen: Type.Object(
      {
        ...{ email: seenText, name: seenText, name_reading: seenText, birthday: seenText, accepts_marketing },
        tags: Type.Optional(Type.Array(Type.String({ maxLength: SEEN_MAX }), { maxItems: SEEN_MAX })),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type ProfileBody = Static<typeof profileBody>;

/** A new customer; an absent field is unknown. */
export const newCustomerBody = Type.Object(
  {
    request_uid: Type.String({ format: "uuid", expected: "a UUID, made when the form opened" }),
    id: Nullable(Type.String({ minLength: 1, maxLength: 1_000 })),
    profile: changes,
    shares_email: Type.Boolean(),
  },
  { additionalProperties: false },
);
export type NewCustomerBody = Static<typeof newCustomerBody>;

export const holdersQuery = Type.Object({ email: Type.String({ minLength: 1, maxLength: 320 }) });
const holder = Type.Object({ id: Type.String(), name: Nullable(Type.String()) });
export const holdersAnswer = Type.Object({ data: Type.Array(holder) });
export type EmailHolders = Static<typeof holdersAnswer>["data"];

export const profileAnswer = Type.Object({ data: Type.Object({ id: Type.String() }) });

const noteRow = Type.Object({
  uid: Type.String(),
  text: Type.String(),
  written_name: Type.String(),
  written_at: Type.String({ format: "date-time" }),
  can_remove: Type.Boolean(),
});
export const notesAnswer = Type.Object({ data: Type.Array(noteRow), next: Nullable(Type.String()) });

export const noteBody = Type.Object(
  {
    request_uid: Type.String({ format: "uuid", expected: "a UUID, made when the form opened" }),
    text: Type.String({ maxLength: NOTE_LENGTH_MAX, pattern: "\\S", expected: `1 to ${NOTE_LENGTH_MAX} characters` }),
  },
  { additionalProperties: false },
);
export const noteParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 1_000 }),
  uid: Type.String({ format: "uuid", expected: "the id of a note" }),
});
export const changedNoteAnswer = Type.Object({ data: Type.Object({ uid: Type.String() }) });

export type NoteRow = Static<typeof noteRow>;
