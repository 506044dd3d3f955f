import { Type } from "typebox";

/** The `revision` of the settings that a form was opened with: the form is refused if others are stored by now. */
export const seenRevision = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));
