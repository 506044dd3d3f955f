import { type Static, Type } from "typebox";
import { Nullable } from "../http/nullable.ts";
import { BIRTHDAY_PATTERN, EMAIL_PATTERN, LOCALE_PATTERN, NAME_LENGTH_MAX } from "./profile/profile-texts.ts";

export const customerParams = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: "The customer's storefront id; for an existing customer also the URL-encoded e-mail address.",
    examples: ["4567890123"],
  }),
});

const email = Type.String({
  pattern: EMAIL_PATTERN,
  description: "In any case; kept in lower case.",
  examples: ["hanako@example.com"],
  expected: "an e-mail address",
});
const name = Type.String({ maxLength: NAME_LENGTH_MAX, examples: ["Hanako Yamada"] });
const nameReading = Type.String({
  maxLength: NAME_LENGTH_MAX,
  description: "How the name is read (furigana). Customers are found by it; no response contains it.",
  examples: ["やまだ はなこ"],
});
const birthday = Type.String({
  pattern: BIRTHDAY_PATTERN,
  description: "`YYYY-MM-DD`, or `--MM-DD` if the year is unknown.",
  examples: ["1988-04-12"],
  expected: "a date as YYYY-MM-DD or --MM-DD",
});

const locale = Type.String({
  pattern: LOCALE_PATTERN,
  description: "The language of mails to the customer, a BCP 47 tag.",
  examples: ["ja-JP"],
  expected: "a locale such as ja-JP",
});

/** `PUT /customers/:id` (program.md 2): an absent field is unknown and keeps the stored value, null means none. */
export const customerBody = Type.Object(
  {
    email: Type.Optional(Nullable(email)),
    name: Type.Optional(Nullable(name)),
    name_reading: Type.Optional(Nullable(nameReading)),
    birthday: Type.Optional(Nullable(birthday)),
    accepts_marketing: Type.Optional(Nullable(Type.Boolean())),
    consent_updated_at: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          "When the customer stated `accepts_marketing`. A consent later than an unsubscription from mails ends it.",
        examples: ["2026-03-01T09:30:00Z"],
      }),
    ),
    account_enabled: Type.Optional(Nullable(Type.Boolean())),
    locale: Type.Optional(Nullable(locale)),
  },
  {
    title: "CustomerChange",
    additionalProperties: false,
    examples: [{ email: "hanako@example.com", name: "Hanako Yamada", birthday: "1988-04-12", accepts_marketing: true }],
  },
);

export type CustomerBody = Static<typeof customerBody>;

export const customerAnswer = Type.Object(
  {
    data: Type.Object(
      {
        id: Type.String({ description: "The customer's storefront id." }),
        uid: Type.String({ format: "uuid", description: "The point balance's id." }),
        email: Nullable(Type.String()),
        name: Nullable(Type.String()),
        birthday: Nullable(Type.String()),
        accepts_marketing: Nullable(Type.Boolean()),
        account_enabled: Nullable(Type.Boolean()),
        created_at: Type.String({ format: "date-time" }),
      },
      { title: "Customer", description: "Null is unknown, or none." },
    ),
  },
  {
    examples: [
      {
        data: {
          id: "4567890123",
          uid: "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716",
          email: "hanako@example.com",
          name: "Hanako Yamada",
          birthday: "1988-04-12",
          accepts_marketing: true,
          account_enabled: null,
          created_at: "2026-03-01T09:30:00.123456Z",
        },
      },
    ],
  },
);

/** `GET /customers/:id/merged`: oldest merge first. */
export const mergedAnswer = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Type.String({ description: "The storefront id that the customer had." }),
        uid: Type.String({ format: "uuid", description: "The point balance's id." }),
        merged_at: Type.String({ format: "date-time" }),
      }),
    ),
  },
  {
    title: "Merged customers",
    examples: [
      {
        data: [
          {
            id: "4567890124",
            uid: "019ca8e7-3c55-7a02-8b1f-6f2d94c0e717",
            merged_at: "2026-05-01T09:30:00.123456Z",
          },
        ],
      },
    ],
  },
);
