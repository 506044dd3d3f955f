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
    summary: "run the service; makes the store where there is none, and migrates",
    run: async (given) => (await import("../start/run-service.ts")).runService(given.options),
  },
  {
    name: "migrate",
    options: { distribute: {}, "dry-run": {} },
    summary:
      "bring the database to this version's schema; --distribute spreads it over a Citus; --dry-run lists what would be done",
    run: async (given) => (await import("./migrate.ts")).migrateStore(given),
  },
  {
    name: "verify",
    summary: "recompute every invariant of the ledger; exits 1 where one does not hold",
    run: async () => (await import("./verify.ts")).verify(),
  },
  {
    name: "figures verify",
    summary: "compare the dashboard's figures with the ledger",
    run: figures,
  },
  {
    name: "figures rebuild",
    summary: "make the dashboard's figures anew from the ledger",
    run: figures,
  },
  {
    name: "jobs",
    summary: "show scheduled work: the last run of each, how long, how much, what failed",
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
    summary: "make a credential; its secret is shown once",
    run: credentials,
  },
  {
    name: "credentials revoke",
    operands: ["key or name"],
    summary: "end a credential",
    run: credentials,
  },
  {
    name: "credentials set-scopes",
    operands: ["key or name", "scopes|none"],
    summary: "what a credential may do; the store's own with none opens nothing and goes on signing",
    run: credentials,
  },
  {
    name: "credentials rotate-store-key",
    summary: "make the next API secret key; both open the API until it is confirmed",
    run: credentials,
  },
  {
    name: "credentials confirm-store-key",
    summary: "the next API secret key signs from now on, the old one opens nothing",
    run: credentials,
  },
  {
    name: "secrets rotate",
    summary: "encrypt every stored secret with the new secret key; the old one is accepted meanwhile",
    run: secrets,
  },
  {
    name: "secrets reset",
    options: { confirm: {} },
    summary: "the secret key is lost: make every stored secret anew; says what is lost, acts with --confirm",
    run: secrets,
  },
  {
    name: "users list",
    summary: "list who signs in to the dashboard",
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
    summary: "make a person; a password is made and shown once unless it is given",
    run: users,
  },
  {
    name: "users disable",
    operands: ["e-mail"],
    summary: "end a person's way into the dashboard",
    run: users,
  },
  {
    name: "users enable",
    operands: ["e-mail"],
    summary: "give a person's way into the dashboard back",
    run: users,
  },
  {
    name: "users remove-totp",
    operands: ["e-mail"],
    summary: "turn a lost second factor off",
    run: users,
  },
  {
    name: "users reset-password",
    operands: ["e-mail"],
    options: PASSWORD,
    summary: "another password; one is made and shown once unless it is given",
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
      "set the program, whole or in part; --dry-run shows the effect, --now places customers at once, --from has it hold for past orders",
    run: program,
  },
  {
    name: "webhooks failed",
    summary: "list deliveries that used up their retries",
    run: webhooks,
  },
  {
    name: "webhooks replay",
    operands: ["uid or all"],
    summary: "send failed deliveries again",
    run: webhooks,
  },
  {
    name: "webhooks rotate-secret",
    operands: ["topic"],
    summary: "make a subscription's next secret; signatures carry both until it is confirmed",
    run: webhooks,
  },
  {
    name: "webhooks confirm-secret",
    operands: ["topic"],
    summary: "the next secret signs from now on",
    run: webhooks,
  },
  {
    name: "intake",
    summary: "count what came in and is not processed, how old it is and how fast it goes",
    run: intake,
  },
  {
    name: "intake stuck",
    summary: "list what the platform told and could not be processed",
    run: intake,
  },
  {
    name: "intake reprocess",
    operands: ["uid"],
    summary: "have it processed once more",
    run: intake,
  },
  {
    name: "reconcile",
    operands: ["file.jsonl"],
    summary: "take an export of the platform's orders and customers: what was never delivered",
    run: async (given) => (await import("./reconcile.ts")).reconcile(given),
  },
  {
    name: "privacy requests",
    summary: "what platforms asked for about personal data and nobody has answered",
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
    summary: "a customer's data was handed out",
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
    summary: "erase every customer of the shop, which its platform asked for",
    run: privacy,
  },
  {
    name: "openapi",
    options: { write: { value: "<file>" } },
    summary: "print the OpenAPI document, or write it",
    run: async (given) => (await import("./openapi.ts")).openapi(given),
  },
];
