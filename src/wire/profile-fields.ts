/** What people edit of a customer, by its name in the interface. */
export const EDITABLE_FIELDS = ["name", "email", "birthday", "accepts_marketing", "tags"] as const;
export type EditableField = (typeof EDITABLE_FIELDS)[number];

/** Tags of a customer, and the characters of one, as people enter them. */
export const TAGS_MAX = 250;
export const TAG_LENGTH_MAX = 255;
