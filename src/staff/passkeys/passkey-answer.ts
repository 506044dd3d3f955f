import { type Static, Type } from "typebox";

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "^[A-Za-z0-9_-]+$" });
const LONG = 6_000;

/** The response of a browser to a challenge, signed with an existing passkey (`PublicKeyCredential.toJSON()`). */
export const passkeyAnswer = Type.Object({
  id: text(1_400),
  rawId: text(1_400),
  type: Type.Literal("public-key"),
  response: Type.Object({
    clientDataJSON: text(LONG),
    authenticatorData: text(LONG),
    signature: text(LONG),
    userHandle: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Null()])),
  }),
});
export type PasskeyAnswer = Static<typeof passkeyAnswer>;

/** The response of a browser with a new passkey. */
export const passkeyMade = Type.Object({
  id: text(1_400),
  rawId: text(1_400),
  type: Type.Literal("public-key"),
  response: Type.Object({
    clientDataJSON: text(LONG),
    attestationObject: text(LONG),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
  }),
});
export type PasskeyMade = Static<typeof passkeyMade>;
