import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { COLOR_PATTERN, LOGO_MAX_BYTES } from "../../wire/theme.ts";

/** Base64 has four characters for three bytes. */
const LOGO_MAX_TEXT = Math.ceil(LOGO_MAX_BYTES / 3) * 4;

export const themeSchema = Type.Object({
  color: Nullable(Type.String({ description: "As `#3b5bdb`; null: the dashboard's own." })),
  logo: Nullable(Type.String({ description: "Names the logo by its content; null: there is none." })),
});
/** The address changes with the logo, so that a browser may cache it. */
export const logoQuery = Type.Object({ v: Type.Optional(Type.String({ maxLength: 16 })) });
export const themeAnswer = Type.Object({ data: themeSchema });
export const themeBody = Type.Object(
  {
    color: Nullable(Type.String({ pattern: COLOR_PATTERN, expected: "a colour as #3b5bdb" })),
    logo: Type.Optional(
      Nullable(
        Type.String({
          maxLength: LOGO_MAX_TEXT,
          description: "A PNG in base64; null removes it; absent: it stays.",
        }),
      ),
    ),
  },
  { additionalProperties: false },
);

export type ShownTheme = Static<typeof themeSchema>;
export type ThemeBody = Static<typeof themeBody>;
