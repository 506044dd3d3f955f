import type { Command, Given } from "./command-line.ts";

const ROLES = ["all", "api", "worker"] as const;
const PASSWORD = { "password-stdin": {} } as const;

/** A group's modules are loaded when one of its commands is run. */
const credentials = async (given: Given) => (await import("./credentials.ts")).credentials(given);
const figures = async (given: Given) => (await import("./figures.ts")).figures(given);
const intake = async (given: Given) => (await import("./intake.ts")).intake(given);
const privacy = async (given: Given) => (await import("./privacy.ts")).privacy(given);
const program = async (given: Given) => (await import("./program.ts")).program(given);
const secrets = async (given: Given) => (await import("./secrets.ts")).secrets(given);
const users = async (given: Given) => (await import("./users.ts")).users(given);
const webhooks = async (given: Given) => (await import("./webhooks.ts")).webhooks(given);

/** Every command with all that may be given to it: help, parsing and their tests go by this list. */
export const COMMANDS: readonly Command[] = [
  {
    name: "start",
    options: { role: { value: ROLES.join("|"), choices: ROLES }, dev: {} },
    summary: "run the service; creates the store if there is none, and migrates the database",
    run: async (given) => (await import("../start/run-service.ts")).runService(given.options),
  },
  {
    name: "migrate",
    options: { distribute: {}, "dry-run": {} },
    summary:
      "migrate the database to this version's schema; --distribute distributes it over a Citus; --dry-run lists what would be done",
    run: async (given) => (await import("./migrate.ts")).migrateStore(given),
  },
  {
    name: "verify",
    options: { workers: { value: "<number>" }, against: { value: "<file>" }, json: {} },
    summary:
      "check every invariant, chain and checkpoint of the ledger; exits 1 if one does not hold; --against compares with a checkpoint kept outside, --json prints one document, --workers 4 uses four connections",
    run: async (given) => (await import("./verify.ts")).verify(given),
  },
  {
    name: "verify-proof",
    operands: ["file or -"],
    options: { key: { value: "<public key>" } },
    summary: "check the proof of an allotment without a database; --key is the store's public key",
    run: async (given) => (await import("./verify-proof.ts")).verifyProof(given),
  },
  {
    name: "figures verify",
    summary: "compare the dashboard's figures with the ledger",
    run: figures,
  },
  {
    name: "figures rebuild",
    summary: "rebuild the dashboard's figures from the ledger",
    run: figures,
  },
  {
    name: "jobs",
    summary: "show scheduled jobs: last run, duration, items and failures of each",
    run: async () => (await import("./jobs.ts")).jobs(),
  },
  {
    name: "credentials list",
    summary: "list API credentials and when each was last used",
    run: credentials,
  },
  {
    name: "credentials create",
    options: { name: { value: "<name>", isRequired: true }, scopes: { value: "read,write,webhooks,intake,admin" } },
    summary: "create a credential; its secret is shown once",
    run: credentials,
  },
  {
    name: "credentials revoke",
    operands: ["key or name"],
    summary: "revoke a credential",
    run: credentials,
  },
  {
    name: "credentials set-scopes",
    operands: ["key or name", "scopes|none"],
    summary: "set what a credential may do; with none, the store's own only signs deliveries",
    run: credentials,
  },
  {
    name: "credentials rotate-store-key",
    summary: "create the next API secret key; both work for the API until it is confirmed",
    run: credentials,
  },
  {
    name: "credentials confirm-store-key",
    summary: "sign with the next API secret key; the old one stops working",
    run: credentials,
  },
  {
    name: "secrets rotate",
    summary: "encrypt every stored secret with a new secret key; the old one is accepted in the meantime",
    run: secrets,
  },
  {
    name: "secrets reset",
    options: { confirm: {} },
    summary: "replace every stored secret when the secret key is lost; lists what is lost, acts with --confirm",
    run: secrets,
  },
  {
    name: "users list",
    summary: "list the people who can sign in to the dashboard",
    run: users,
  },
  {
    name: "users create",
    options: {
      email: { value: "<e-mail>", isRequired: true },
      name: { value: "<name>" },
      role: {
        value: "owner|manager|support|viewer",
        choices: ["owner", "manager", "support", "viewer"],
        isRequired: true,
      },
      ...PASSWORD,
    },
    summary: "create a person; a password is generated and shown once unless given",
    run: users,
  },
  {
    name: "users disable",
    operands: ["e-mail"],
    summary: "block a person from signing in",
    run: users,
  },
  {
    name: "users enable",
    operands: ["e-mail"],
    summary: "let a disabled person sign in again",
    run: users,
  },
  {
    name: "users remove-totp",
    operands: ["e-mail"],
    summary: "turn off a lost second factor",
    run: users,
  },
  {
    name: "users reset-password",
    operands: ["e-mail"],
    options: PASSWORD,
    summary: "set another password; one is generated and shown once unless given",
    run: users,
  },
  {
    name: "program show",
    summary: "print the program as JSON",
    run: program,
  },
  {
    name: "program apply",
    operands: ["file.json"],
    options: { "dry-run": {}, now: {}, from: { value: "<time>" }, author: { value: "<name>" } },
    summary:
      "change the program, whole or in part; --dry-run shows the effect, --now applies tier rules immediately, --from applies it to past orders",
    run: program,
  },
  {
    name: "webhooks failed",
    summary: "list deliveries that failed after all retries",
    run: webhooks,
  },
  {
    name: "webhooks replay",
    operands: ["uid or all"],
    summary: "send failed deliveries again",
    run: webhooks,
  },
  {
    name: "webhooks receivers",
    summary: "list every receiver of each topic, the additional ones too",
    run: webhooks,
  },
  {
    name: "webhooks add-receiver",
    operands: ["topic", "url"],
    summary: "send a topic to one more receiver; its secret is shown once",
    run: webhooks,
  },
  {
    name: "webhooks remove-receiver",
    operands: ["uid"],
    summary: "end an additional receiver and its deliveries",
    run: webhooks,
  },
  {
    name: "webhooks rotate-secret",
    operands: ["topic or uid"],
    summary: "create a subscription's next secret; deliveries are signed with both until it is confirmed",
    run: webhooks,
  },
  {
    name: "webhooks confirm-secret",
    operands: ["topic or uid"],
    summary: "sign only with the next secret from now on",
    run: webhooks,
  },
  {
    name: "intake",
    summary: "show the backlog of received events: count, age and rate",
    run: intake,
  },
  {
    name: "intake stuck",
    summary: "list received events that could not be processed",
    run: intake,
  },
  {
    name: "intake reprocess",
    operands: ["uid"],
    summary: "process a received event again",
    run: intake,
  },
  {
    name: "reconcile",
    operands: ["file.jsonl"],
    summary: "process an export of the platform's orders and customers; fills in events that were never delivered",
    run: async (given) => (await import("./reconcile.ts")).reconcile(given),
  },
  {
    name: "privacy requests",
    summary: "list open requests about personal data",
    run: privacy,
  },
  {
    name: "privacy data",
    operands: ["customer id or e-mail"],
    summary: "print everything stored about a customer as JSON",
    run: privacy,
  },
  {
    name: "privacy answered",
    operands: ["request"],
    summary: "mark a data request as answered",
    run: privacy,
  },
  {
    name: "privacy redact",
    operands: ["customer id"],
    options: { confirm: { value: "<customer id>", isRequired: true } },
    summary: "erase a customer; the id is given twice",
    run: privacy,
  },
  {
    name: "privacy redact-shop",
    options: { confirm: { value: "<shop id>", isRequired: true } },
    summary: "erase every customer of a shop whose platform requested it",
    run: privacy,
  },
  {
    name: "openapi",
    options: { write: { value: "<file>" } },
    summary: "print the OpenAPI document, or write it",
    run: async (given) => (await import("./openapi.ts")).openapi(given),
  },
];
