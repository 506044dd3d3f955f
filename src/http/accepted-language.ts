import { LANGUAGES, type Language } from "../wire/language.ts";

/** How much of the header is read: browsers send a few languages. */
const LOOKED_AT = 200;

/** The first language of an `Accept-Language` header that the service supports, in the order in which browsers write them; null: none. */
export function acceptedLanguage(header: string | undefined): Language | null {
  const accepted = (header ?? "").slice(0, LOOKED_AT).toLowerCase().split(",");
  for (const one of accepted) {
    const [tag = ""] = one.trim().split(";");
    const found = LANGUAGES.find((language) => tag.split("-")[0] === language);
    if (found !== undefined) return found;
  }
  return null;
}
