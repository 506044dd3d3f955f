/** What a file of another app may say of a member. */
export const MEMBER_FIELDS = [
  "id",
  "email",
  "name",
  "first_name",
  "last_name",
  "birthday",
  "accepts_marketing",
  "points",
  "expires_at",
  "tier",
] as const;
export type MemberField = (typeof MEMBER_FIELDS)[number];

/** How an app writes days: 2027-03-31, 31/03/2027 or 03/31/2027. A time behind the day, and ISO forms, are read of every app. */
export type DayForm = "year_first" | "day_first" | "month_first";

/** What is known of the files of an app. */
export interface Vendor {
  /** As the command line has it. */
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  /** Header names of each field, in lower case and without spaces and signs; the first that a file has counts. */
  readonly headers: Readonly<Partial<Record<MemberField, readonly string[]>>>;
  readonly days: DayForm;
  /** Whether `id` is the id that the store's platform gives a customer; else it is the app's own and names nobody here. */
  readonly hasPlatformIds: boolean;
  /** What its files say and cannot be brought in. */
  readonly leavesOut: readonly string[];
  /** Where the headers are written down, and when that was read. `isVerified`: by the app's own documents. */
  readonly source: { readonly text: string; readonly readOn: string; readonly isVerified: boolean };
}
