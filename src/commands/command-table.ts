import { VENDOR_NAMES } from "../moving-in/vendors/index.ts";
import { DAY_FORMS } from "../wire/day-forms.ts";
import type { Command, Given } from "./command-line.ts";

const ROLES = ["all", "api", "worker"] as const;
const SPAN = {
  from: { value: "<time>", about: "a date is that day of the store, from its start" },
  to: { value: "<time>", about: "a date is that day, to its end" },
} as const;
const PASSWORD = {
  "password-stdin": { about: "take the password from the first line of the standard input" },
} as const;
const IDENTITY = { value: "<file>", about: "the private key that decrypts the backup" } as const;
const TO_TIME = {
  value: "<time>",
  about: "the store as it was then: needs a folder or bucket of POINTKEEPER_BACKUP_DIR with an archived log",
} as const;

/** A group's modules are loaded when one of its commands is run. */
const backup = async (given: Given) => (await import("./backup.ts")).backup(given);
const credentials = async (given: Given) => (await import("./credentials.ts")).credentials(given);
const exportFile = async (given: Given) => (await import("./export.ts")).exportFile(given);
const figures = async (given: Given) => (await import("./figures.ts")).figures(given);
const intake = async (given: Given) => (await import("./intake.ts")).intake(given);
const mail = async (given: Given) => (await import("./mail.ts")).mail(given);
const oidc = async (given: Given) => (await import("./oidc.ts")).oidc(given);
const privacy = async (given: Given) => (await import("./privacy.ts")).privacy(given);
const program = async (given: Given) => (await import("./program.ts")).program(given);
const secrets = async (given: Given) => (await import("./secrets.ts")).secrets(given);
const storefront = async (given: Given) => (await import("./storefront.ts")).storefront(given);
const users = async (given: Given) => (await import("./users.ts")).users(given);
const webhooks = async (given: Given) => (await import("./webhooks.ts")).webhooks(given);

/** Every command with its arguments: help, parsing and their tests use this list. */
export const COMMANDS: readonly Command[] = [
  {
    name: "start",
    options: {
      role: { value: ROLES.join("|"), choices: ROLES, about: "what the process does; all when absent" },
      dev: { about: "write the log as lines to be read by people" },
    },
    summary: "run the service; creates the store if there is none, and migrates the database",
    examples: ["pointkeeper start", "pointkeeper start --role worker"],
    run: async (given) => (await import("../start/run-service.ts")).runService(given.options),
  },
  {
    name: "migrate",
    options: {
      distribute: { about: "spread the tables of points over the nodes of a Citus: docs/citus.md" },
      "dry-run": { about: "say what would be done, and do nothing" },
    },
    summary:
      "migrate the database to this version's schema; --distribute distributes it over a Citus; --dry-run lists what would be done",
    examples: ["pointkeeper migrate --dry-run", "pointkeeper migrate"],
    run: async (given) => (await import("./migrate.ts")).migrateStore(given),
  },
  {
    name: "doctor",
    summary:
      "check settings, database, clock, disk, worker, receivers: what is wrong and what to do; exits 1 if a check fails",
    examples: ["pointkeeper doctor", "pointkeeper doctor --json"],
    run: async (given) => (await import("./doctor/doctor.ts")).doctor(given),
  },
  {
    name: "config",
    summary: "show every setting, its value and where it comes from; secrets are masked",
    examples: ["pointkeeper config"],
    run: async (given) => (await import("./config.ts")).showConfig(given),
  },
  {
    name: "customer",
    operands: ["id, uid or e-mail"],
    options: { last: { value: "<number>", about: "how many of the last allotments are shown; 10 when absent" } },
    summary: "show a customer as the dashboard does: balance, tier, holds, expiries, last allotments and why",
    examples: ["pointkeeper customer 4567890123", "pointkeeper customer hanako@example.com --last 50"],
    run: async (given) => (await import("./customer.ts")).customer(given),
  },
  {
    name: "tail",
    operands: ["ledger|deliveries|receipts?"],
    options: {
      since: { value: "<time>", about: "everything since then, in place of the last rows" },
      last: { value: "<number>", about: "how many of the last rows are shown; 20 when absent" },
      follow: { about: "show what comes too, until interrupted" },
    },
    summary: "show the newest allotments, deliveries or received events, and with --follow those that come",
    examples: ["pointkeeper tail --follow", "pointkeeper tail deliveries --since 2026-03-01 --json"],
    run: async (given) => (await import("./tail.ts")).tail(given),
  },
  {
    name: "export balances",
    operands: ["file or -"],
    options: { from: SPAN.from, to: SPAN.to },
    summary: "write the balances of all customers as CSV: opening and closing ones, and what came between",
    examples: [
      "pointkeeper export balances balances.csv",
      "pointkeeper export balances - --from 2026-02-01 --to 2026-02-28",
    ],
    run: exportFile,
  },
  {
    name: "export allotments",
    operands: ["file or -"],
    options: { ...SPAN, type: { value: "<types>", about: "these types alone, comma-separated" } },
    summary: "write the allotments of the ledger as CSV, the newest first",
    examples: ["pointkeeper export allotments ledger.csv", "pointkeeper export allotments - --type manual,csv"],
    run: exportFile,
  },
  {
    name: "export all",
    operands: ["file.jsonl or -"],
    options: { "with-secrets": { about: "with sealed secrets, credentials and password digests" } },
    summary: "write everything that the store has as JSON Lines, of one moment: docs/export-format.md",
    examples: [
      "pointkeeper export all store.jsonl",
      "pointkeeper export all - --with-secrets | zstd > store.jsonl.zst",
    ],
    run: async (given) => (await import("./export-store.ts")).exportStore(given),
  },
  {
    name: "export schema",
    operands: ["file or -?"],
    summary: "write the JSON Schema of the lines of export all",
    examples: ["pointkeeper export schema > store.schema.json"],
    run: async (given) => (await import("./export-store.ts")).exportSchema(given),
  },
  {
    name: "import",
    operands: ["file, or points|tiers|customers|spend|history?", "file or -?"],
    options: {
      from: {
        value: "<app>",
        choices: VENDOR_NAMES,
        about: "a file of another app's members, with points and tiers; pointkeeper: a .jsonl of export all, too",
      },
      "dry-run": { about: "with --from: show sums and faults, and change nothing" },
      yes: { about: "with --from: import without asking" },
      set: { about: "of another app's file: balances become what it says; without it points are added" },
      again: {
        about:
          "of another app's file: give points also to members who received some from an earlier file of the app; with --orders: count orders again",
      },
      "as-of": {
        value: "<time>",
        about:
          "of another app's file: when it was exported; without it, when it is imported. Orders from before earn nothing again",
      },
      columns: {
        value: "<field=column,...>",
        about: "of another app's file: which column is read as which field, where its names were changed",
      },
      days: {
        value: "<form>",
        choices: DAY_FORMS,
        about: "of another app's file: how it writes days, where that is not the app's own form",
      },
      "keep-tiers-until": {
        value: "<date>",
        about: "of another app's file: no check drops anybody below its tier before; without it for 12 months",
      },
      history: { about: "with --from: the file says what happened to points there: shown, never counted" },
      orders: { about: "with --from: the file says what customers spent there: counted toward tiers" },
      undo: { value: "<move>", about: "undo the import of another app's file as a whole" },
      left: {
        value: "<file or ->",
        about:
          "with --undo: write the rows that could not be undone, with the reasons, as CSV; of a move that was undone, too",
      },
      as: { value: "<e-mail>", about: "of our own files: the person in whose name, and within whose allowance" },
      apply: { about: "of our own files: import it when the check is done; without it, it is a dry run" },
      "skip-faults": { about: "import the other rows where some have faults, or were given points before" },
      note: { value: "<text>", about: "the note of rows that have none of their own" },
      "match-by-email": { about: "of customers: find them by e-mail, not by id" },
    },
    summary: "bring in another app's members, or check and import a CSV file of our own",
    examples: [
      "pointkeeper import members.csv --from loyaltylion --dry-run",
      "pointkeeper import members.csv --from loyaltylion --yes",
      "pointkeeper import activity.csv --from rivo --history --dry-run",
      "pointkeeper import points points.csv --as hanako@example.com",
      "pointkeeper import points points.csv --as hanako@example.com --apply",
      "pointkeeper import store.jsonl --from pointkeeper --dry-run",
    ],
    run: async (given) => (await import("./import.ts")).importFile(given),
  },
  {
    name: "verify",
    options: {
      workers: { value: "<number>", about: "so many connections beside one another" },
      against: { value: "<file>", about: "a checkpoint that was kept outside, to compare with" },
    },
    summary: "check every invariant, chain and checkpoint of the ledger; exits 1 if one does not hold",
    examples: [
      "pointkeeper verify",
      "pointkeeper verify --workers 4 --json",
      "pointkeeper verify --against checkpoint.txt",
    ],
    run: async (given) => (await import("./verify.ts")).verify(given),
  },
  {
    name: "verify-proof",
    operands: ["file or -"],
    options: { key: { value: "<public key>", about: "the store's public key, as it was learned before" } },
    summary: "check the proof of an allotment without a database",
    examples: ["pointkeeper verify-proof proof.json", "pointkeeper verify-proof - --key MCowBQYDK2VwAyEA7Tj0"],
    run: async (given) => (await import("./verify-proof.ts")).verifyProof(given),
  },
  {
    name: "backup",
    operands: ["folder or file.tar"],
    options: { physical: { about: "copy the embedded database's files: faster to restore a large store" } },
    summary:
      "back the store up while it runs, into a new folder, a place in a bucket (s3://bucket/name) or a .tar file; --physical copies the embedded database's files instead of its rows",
    examples: [
      "pointkeeper backup /backups/store-1",
      "pointkeeper backup s3://backups/store-1",
      "pointkeeper backup /backups/store-1.tar --json",
    ],
    run: backup,
  },
  {
    name: "backup verify",
    operands: ["backup"],
    options: {
      identity: IDENTITY,
      to: TO_TIME,
      in: {
        value: "<folder>",
        about: "where the temporary database is created; the system's folder for it when absent",
      },
    },
    summary: "restore a backup into a temporary database and verify its ledger; exits 1 if an invariant does not hold",
    examples: [
      "pointkeeper backup verify /backups/store-1",
      "pointkeeper backup verify /backups/store-1 --identity key.txt",
    ],
    run: backup,
  },
  {
    name: "backup list",
    summary:
      "list the scheduled backups of POINTKEEPER_BACKUP_DIR and how far back a restore can go; exits 1 if one is damaged",
    examples: ["pointkeeper backup list", "pointkeeper backup list --json"],
    run: backup,
  },
  {
    name: "backup new-key",
    operands: ["file"],
    summary: "write a new private key that decrypts backups; prints its public key for POINTKEEPER_BACKUP_RECIPIENTS",
    examples: ["pointkeeper backup new-key backup-key.txt"],
    run: backup,
  },
  {
    name: "restore",
    operands: ["backup"],
    options: {
      to: TO_TIME,
      identity: IDENTITY,
      "without-key": { about: "restore even where the secret key does not open the backup's secrets" },
    },
    summary:
      "restore a backup into a new POINTKEEPER_DATA_DIR or the empty database of DATABASE_URL; --to restores to a time, --identity decrypts",
    examples: [
      "pointkeeper restore /backups/store-1",
      "pointkeeper restore /backups --to 2026-03-01T09:30:00Z --identity key.txt",
      "pointkeeper restore s3://backups/pointkeeper --identity key.txt",
    ],
    run: async (given) => (await import("./restore.ts")).restore(given),
  },
  {
    name: "move",
    options: {
      to: {
        value: "<database url or data folder>",
        isRequired: true,
        about: "an empty database, or a new data folder",
      },
    },
    summary: "copy the stopped store to another database, embedded or external, and verify the ledger on both sides",
    examples: ["pointkeeper move --to postgres://pointkeeper@db.example.com/store"],
    run: async (given) => (await import("./move.ts")).move(given),
  },
  {
    name: "figures verify",
    summary: "compare the dashboard's figures with the ledger",
    examples: ["pointkeeper figures verify"],
    run: figures,
  },
  {
    name: "figures rebuild",
    options: { wait: { about: "end only when the workers have rebuilt them" } },
    summary: "rebuild the dashboard's figures from the ledger",
    examples: ["pointkeeper figures rebuild", "pointkeeper figures rebuild --wait"],
    run: figures,
  },
  {
    name: "jobs",
    summary: "show scheduled jobs: last run, duration, items and failures of each",
    examples: ["pointkeeper jobs", "pointkeeper jobs --json"],
    run: async (given) => (await import("./jobs.ts")).jobs(given),
  },
  {
    name: "credentials list",
    summary: "list API credentials and when each was last used",
    examples: ["pointkeeper credentials list"],
    run: credentials,
  },
  {
    name: "credentials create",
    options: {
      name: { value: "<name>", isRequired: true, about: "how lists and the audit log call it" },
      scopes: { value: "read,write,webhooks,intake,admin", about: "what it may do; everything when absent" },
    },
    summary: "create a credential; its secret is shown once",
    examples: [
      "pointkeeper credentials create --name webshop",
      "pointkeeper credentials create --name reports --scopes read",
    ],
    run: credentials,
  },
  {
    name: "credentials revoke",
    operands: ["key or name"],
    summary: "revoke a credential",
    examples: ["pointkeeper credentials revoke webshop"],
    run: credentials,
  },
  {
    name: "credentials set-scopes",
    operands: ["key or name", "scopes|none"],
    summary: "set what a credential may do; with none, the store's own only signs deliveries",
    examples: [
      "pointkeeper credentials set-scopes webshop read,write",
      "pointkeeper credentials set-scopes store none",
    ],
    run: credentials,
  },
  {
    name: "credentials rotate-store-key",
    summary: "create the next API secret key; both work for the API until it is confirmed",
    examples: ["pointkeeper credentials rotate-store-key"],
    run: credentials,
  },
  {
    name: "credentials confirm-store-key",
    summary: "sign with the next API secret key; the old one stops working",
    examples: ["pointkeeper credentials confirm-store-key"],
    run: credentials,
  },
  {
    name: "storefront list",
    summary: "list storefront keys, when each was last used, and the origins whose pages may use tokens",
    examples: ["pointkeeper storefront list"],
    run: storefront,
  },
  {
    name: "storefront create-key",
    options: {
      name: { value: "<name>", isRequired: true, about: "how lists and the audit log call it" },
      "read-only": { about: "its tokens read and never redeem" },
    },
    summary: "create a key that signs tokens of customers; its secret is shown once",
    examples: ["pointkeeper storefront create-key --name webshop"],
    run: storefront,
  },
  {
    name: "storefront revoke-key",
    operands: ["key id or name"],
    summary: "revoke a storefront key: its tokens are refused",
    examples: ["pointkeeper storefront revoke-key webshop"],
    run: storefront,
  },
  {
    name: "storefront allow-origin",
    operands: ["origin"],
    summary: "let pages of an origin use tokens of customers",
    examples: ["pointkeeper storefront allow-origin https://shop.example.com"],
    run: storefront,
  },
  {
    name: "storefront remove-origin",
    operands: ["origin"],
    summary: "refuse pages of an origin that was allowed",
    examples: ["pointkeeper storefront remove-origin https://shop.example.com"],
    run: storefront,
  },
  {
    name: "secrets rotate",
    summary: "encrypt every stored secret with a new secret key; the old one is accepted in the meantime",
    examples: ["pointkeeper secrets rotate"],
    run: secrets,
  },
  {
    name: "secrets reset",
    options: { confirm: { about: "act; without it only what is lost is listed" } },
    summary: "replace every stored secret when the secret key is lost; lists what is lost, acts with --confirm",
    examples: ["pointkeeper secrets reset", "pointkeeper secrets reset --confirm"],
    run: secrets,
  },
  {
    name: "users list",
    summary: "list the people who can sign in to the dashboard",
    examples: ["pointkeeper users list"],
    run: users,
  },
  {
    name: "users create",
    options: {
      email: { value: "<e-mail>", isRequired: true, about: "the address to sign in with" },
      name: { value: "<name>", about: "how the dashboard calls the person; the e-mail address when absent" },
      role: {
        value: "owner|manager|support|viewer",
        choices: ["owner", "manager", "support", "viewer"],
        isRequired: true,
        about: "what the person may do: docs/people.md",
      },
      ...PASSWORD,
    },
    summary: "create a person; a password is generated and shown once unless given",
    examples: [
      "pointkeeper users create --email hanako@example.com --role owner",
      "pointkeeper users create --email jiro@example.com --name Jiro --role support --password-stdin < password.txt",
    ],
    run: users,
  },
  {
    name: "users disable",
    operands: ["e-mail"],
    summary: "block a person from signing in",
    examples: ["pointkeeper users disable jiro@example.com"],
    run: users,
  },
  {
    name: "users enable",
    operands: ["e-mail"],
    summary: "let a disabled person sign in again",
    examples: ["pointkeeper users enable jiro@example.com"],
    run: users,
  },
  {
    name: "users remove-totp",
    operands: ["e-mail"],
    summary: "turn off a lost second factor",
    examples: ["pointkeeper users remove-totp hanako@example.com"],
    run: users,
  },
  {
    name: "users reset-password",
    operands: ["e-mail"],
    options: PASSWORD,
    summary: "set another password; one is generated and shown once unless given",
    examples: ["pointkeeper users reset-password hanako@example.com"],
    run: users,
  },
  {
    name: "program show",
    summary: "print the program as JSON",
    examples: ["pointkeeper program show > program.json"],
    run: program,
  },
  {
    name: "program apply",
    operands: ["file.json"],
    options: {
      "dry-run": { about: "say what would change, and change nothing" },
      now: { about: "check every tier by the new rules at once" },
      from: { value: "<time>", about: "the program holds for orders since then too, a time that has passed" },
      author: { value: "<name>", about: "who the version says made it; command line when absent" },
    },
    summary:
      "change the program, whole or in part; --dry-run shows the effect, --now applies tier rules immediately, --from applies it to past orders",
    examples: [
      "pointkeeper program apply program.json --dry-run",
      "pointkeeper program apply program.json --from 2026-03-01 --author Hanako",
    ],
    run: program,
  },
  {
    name: "oidc status",
    summary: "show the identity provider, whether it responds, and the callback URL to register there",
    examples: ["pointkeeper oidc status"],
    run: oidc,
  },
  {
    name: "oidc off",
    summary: "switch sign-in through the identity provider off, whatever the settings say: passwords count again",
    examples: ["pointkeeper oidc off"],
    run: oidc,
  },
  {
    name: "oidc on",
    summary: "sign-in through the identity provider is again as the settings say",
    examples: ["pointkeeper oidc on"],
    run: oidc,
  },
  {
    name: "mail log",
    summary: "show the newest mails: to whom, about what, and what became of each",
    examples: ["pointkeeper mail log", "pointkeeper mail log --json"],
    run: mail,
  },
  {
    name: "mail test",
    operands: ["e-mail"],
    summary: "connect to the mail server, check its certificate and sign in, then queue a mail",
    examples: ["pointkeeper mail test hanako@example.com"],
    run: mail,
  },
  {
    name: "webhooks failed",
    summary: "list deliveries that failed after all retries",
    examples: ["pointkeeper webhooks failed"],
    run: webhooks,
  },
  {
    name: "webhooks replay",
    operands: ["uid or all"],
    summary: "send failed deliveries again",
    examples: ["pointkeeper webhooks replay 019ca8e7-3c55-7a02-8b1f-6f2d94c0e716", "pointkeeper webhooks replay all"],
    run: webhooks,
  },
  {
    name: "webhooks receivers",
    summary: "list every receiver of each topic, the additional ones too, and which are dead",
    examples: ["pointkeeper webhooks receivers"],
    run: webhooks,
  },
  {
    name: "webhooks add-receiver",
    operands: ["topic", "url"],
    summary: "send a topic to one more receiver; its secret is shown once",
    examples: ["pointkeeper webhooks add-receiver point_balance/update https://crm.example.com/hooks"],
    run: webhooks,
  },
  {
    name: "webhooks remove-receiver",
    operands: ["uid"],
    summary: "end an additional receiver and its deliveries",
    examples: ["pointkeeper webhooks remove-receiver 019ca8e7-3c55-7a02-8b1f-6f2d94c0e716"],
    run: webhooks,
  },
  {
    name: "webhooks rotate-secret",
    operands: ["topic or uid"],
    summary: "create a subscription's next secret; deliveries are signed with both until it is confirmed",
    examples: ["pointkeeper webhooks rotate-secret point_balance/update"],
    run: webhooks,
  },
  {
    name: "webhooks confirm-secret",
    operands: ["topic or uid"],
    summary: "sign only with the next secret from now on",
    examples: ["pointkeeper webhooks confirm-secret point_balance/update"],
    run: webhooks,
  },
  {
    name: "webhooks listen",
    options: {
      port: { value: "<port>", about: "of 127.0.0.1; 4000 when absent, 0 for any" },
      secret: { value: "<whsec_...>", about: "of a subscription; without secrets those of the store are taken" },
      "api-secret": { value: "<secret>", about: "the API secret key, which signs tokens" },
      status: { value: "<status>", about: "what is answered; 200 when absent" },
    },
    summary: "receive deliveries on this machine, verify their signatures and print them, until interrupted",
    examples: ["pointkeeper webhooks listen", "pointkeeper webhooks listen --port 4001 --status 500"],
    run: async (given) => (await import("./listen.ts")).listen(given),
  },
  {
    name: "intake",
    summary: "show the backlog of received events: count, age and rate",
    examples: ["pointkeeper intake"],
    run: intake,
  },
  {
    name: "intake stuck",
    summary: "list received events that could not be processed",
    examples: ["pointkeeper intake stuck --json"],
    run: intake,
  },
  {
    name: "intake reprocess",
    operands: ["uid"],
    summary: "process a received event again",
    examples: ["pointkeeper intake reprocess 019ca8e7-3c55-7a02-8b1f-6f2d94c0e716"],
    run: intake,
  },
  {
    name: "connect shopify",
    options: {
      "dry-run": { about: "say what would be done, and do nothing" },
      "set-store": { about: "give the program the shop's currency and time zone where they differ" },
      since: { value: "<time>", about: "read what changed since then, and all products; everything when absent" },
      "webhooks-only": { about: "check the token and add webhooks alone" },
    },
    summary:
      "check the token, add the webhooks that are missing, read customers, products and orders; run again, it continues",
    examples: ["pointkeeper connect shopify --dry-run", "pointkeeper connect shopify --since 2025-01-01"],
    run: async (given) => (await import("./connect.ts")).connect(given, "shopify"),
  },
  {
    name: "connect woocommerce",
    options: {
      "dry-run": { about: "say what would be done, and do nothing" },
      "set-store": { about: "give the program the shop's currency and time zone where they differ" },
      since: { value: "<time>", about: "read what changed since then, and all products; everything when absent" },
      "webhooks-only": { about: "check the key and add webhooks alone" },
    },
    summary:
      "check the key, add the webhooks that are missing, read customers, products and orders; run again, it continues",
    examples: ["pointkeeper connect woocommerce --dry-run", "pointkeeper connect woocommerce --since 2025-01-01"],
    run: async (given) => (await import("./connect.ts")).connect(given, "woocommerce"),
  },
  {
    name: "reconcile",
    operands: ["file.jsonl"],
    summary:
      "process an export of the platform's customers, products and orders; fills in events that were never delivered",
    examples: ["pointkeeper reconcile orders.jsonl", "pointkeeper reconcile - < orders.jsonl"],
    run: async (given) => (await import("./reconcile.ts")).reconcile(given),
  },
  {
    name: "privacy requests",
    summary: "list open requests about personal data",
    examples: ["pointkeeper privacy requests"],
    run: privacy,
  },
  {
    name: "privacy data",
    operands: ["customer id or e-mail"],
    summary: "print everything stored about a customer as JSON",
    examples: ["pointkeeper privacy data hanako@example.com > hanako.json"],
    run: privacy,
  },
  {
    name: "privacy answered",
    operands: ["request"],
    summary: "mark a data request as answered",
    examples: ["pointkeeper privacy answered 9001"],
    run: privacy,
  },
  {
    name: "privacy redact",
    operands: ["customer id"],
    options: { confirm: { value: "<customer id>", isRequired: true, about: "the same id once more" } },
    summary: "erase a customer; the id is given twice",
    examples: ["pointkeeper privacy redact 4567890123 --confirm 4567890123"],
    run: privacy,
  },
  {
    name: "privacy redact-shop",
    options: { confirm: { value: "<shop id>", isRequired: true, about: "the shop whose platform requested it" } },
    summary: "erase every customer of a shop whose platform requested it",
    examples: ["pointkeeper privacy redact-shop --confirm 31001"],
    run: privacy,
  },
  {
    name: "openapi",
    options: { write: { value: "<file>", about: "write it there instead" } },
    summary: "print the OpenAPI document, or write it",
    examples: ["pointkeeper openapi --write openapi.json"],
    run: async (given) => (await import("./openapi.ts")).openapi(given),
  },
  {
    name: "completion",
    operands: ["bash|zsh|fish"],
    summary: "print the completion of a shell",
    examples: [
      "pointkeeper completion bash",
      "pointkeeper completion fish > ~/.config/fish/completions/pointkeeper.fish",
    ],
    run: async (given) => (await import("./completion.ts")).completion(given, COMMANDS),
  },
];
