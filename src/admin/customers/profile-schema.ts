import { type Static, Type } from "typebox";
import { customerBody } from "../../customers/schema.ts";
import { Nullable } from "../../http/nullable.ts";
import { TAG_LENGTH_MAX, TAGS_MAX } from "../../wire/profile-fields.ts";

const SEEN_MAX = 10_000;
const tags = Type.Array(Type.String({ minLength: 1, maxLength: TAG_LENGTH_MAX }), { maxItems: TAGS_MAX });
const { email, name, birthday, accepts_marketing } = customerBody.properties;
const seenText = Type.Optional(Nullable(Type.String({ maxLength: SEEN_MAX })));

/** What a person changes, and what they saw of those fields before. */
export const profileBody = Type.Object(
  {
    changes: Type.Object(
      { email, name, birthday, accepts_marketing, tags: Type.Optional(tags) },
      { additionalProperties: false },
    ),
    seen: Type.Object(
      {
        ...{ email: seenText, name: seenText, birthday: seenText, accepts_marketing },
        tags: Type.Optional(Type.Array(Type.String({ maxLength: SEEN_MAX }), { maxItems: SEEN_MAX })),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type ProfileBody = Static<typeof profileBody>;

export const profileAnswer = Type.Object({ data: Type.Object({ id: Type.String() }) });
