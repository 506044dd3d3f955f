/** Languages of the dashboard, of explanations and of the reports of imports. */
export const LANGUAGES = ["en", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];
