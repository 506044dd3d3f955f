import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Vendor } from "../src/moving-in/vendor.ts";
import { VENDORS } from "../src/moving-in/vendors/index.ts";
import type { MoveField } from "../src/wire/import-fields.ts";

/** Returns the path of the page of an app. */
export function vendorPagePath({ name }: Vendor): string {
  return fileURLToPath(new URL(`../docs/moving-in/${name}.md`, import.meta.url));
}

/** The imported fields for each field of an app. */
const BECOMES: Readonly<Record<MoveField, string>> = {
  id: "the customer's id at the platform",
  email: "the customer's e-mail address",
  name: "the name of a new customer",
  first_name: "the name of a new customer, with the last name",
  last_name: "the name of a new customer, with the first name",
  birthday: "the birthday of a new customer",
  accepts_marketing: "consent to marketing of a new customer, if the cell says yes or no",
  points: "points with origin migration",
  expires_at: "their own expiry date, which no setting moves",
  earned_at: "the date on which they were earned",
  spent: "money spent so far, counted toward tiers as of the import",
  tier: "the tier of that name",
  tier_until: "the day until which no check places the customer below that tier",
};

const DAYS = {
  year_first: "2027-03-31",
  day_first: "31/03/2027",
  month_first: "03/31/2027",
} as const satisfies Record<Vendor["days"], string>;

/** Returns the page of an app: how its file is made, what is imported, what cannot be, and the sources. */
export function vendorPage(vendor: Vendor): string {
  const { name, title, headers, days, exported, leavesOut, hints = [], source } = vendor;
  const fields = Object.entries(headers).map(([field, names]) => {
    // cast: the keys of `headers` are fields
    const becomes = BECOMES[field as MoveField];
    return `| \`${field}\` | ${names.map((each) => `\`${each}\``).join(", ")} | ${becomes} |`;
  });
  const known = source.isVerified ? "" : " Not verified with a file of the app: look at the dry run before you import.";
  return `# Moving in from ${title}

<!-- Made from src/moving-in/vendors/${name}.ts by npm run vendors. -->

${exported}

\`\`\`sh
npx pointkeeper import members.csv --from ${name} --dry-run
npx pointkeeper import members.csv --from ${name} --yes
\`\`\`

Or in the dashboard: Imports & exports, New import, From another app. [Moving in](../moving-in.md) describes the steps, and what applies to every
app.

## What carries over

Names of columns are recognised in any case, with or without spaces and signs. A day is written \`${DAYS[days]}\`; ISO forms and names of
months are read too.

| field | columns | imported as |
|---|---|---|
${fields.join("\n")}

## What does not

${leavesOut.map(({ en }) => `- ${en}`).join("\n")}
${hints.length === 0 ? "" : `\n## Good to know\n\n${hints.map((hint) => `- ${hint}`).join("\n")}\n`}
## Source

${source.text}; read on ${source.readOn}.${known}
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const vendor of VENDORS) {
    await mkdir(dirname(vendorPagePath(vendor)), { recursive: true });
    await writeFile(vendorPagePath(vendor), vendorPage(vendor));
  }
