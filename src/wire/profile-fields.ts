/** The fields of a customer that people edit, by their names in the interface. */
export const EDITABLE_FIELDS = ["name", "name_reading", "email", "birthday", "accepts_marketing", "tags"] as const;
export type EditableField = (typeof EDITABLE_FIELDS)[number];

/** The maximum number of tags per customer, and the maximum length of a tag, for tags that people enter. */
export const TAGS_MAX = 250;
export const TAG_LENGTH_MAX = 255;
