/** A block of a document that is read but not run: the page, what the block begins with, and why. */
export interface NotRun {
  readonly page: string;
  readonly begins: string;
  readonly why: string;
}

const START = "starts the service for good: .ci/run and scripts/try-install.ts do";
const SUITE = "installs or runs the tests themselves";
const CONTAINER = "needs docker: test/deploy.test.ts reads the files";
const PACKED = "installs a package in another project: npm run test:packages and test:python do";
const EXAMPLES = "test/client/webhook.test.ts and packages/python/tests run the examples with these variables";
const SHOPIFY = "needs a shop of Shopify: test/flows/intake/connect-shopify.test.ts has one of its own";
const WOOCOMMERCE = "needs a store of WooCommerce: test/flows/intake/woocommerce-rest.test.ts has one of its own";
const RESTORE =
  "makes or replaces an embedded database: test/flows/backup/backup.test.ts, backup-drill.test.ts and backup-move.test.ts";

/** Blocks that need another machine, another program or a store of their own. Every entry names one block that is there. */
export const NOT_RUN: readonly NotRun[] = [
  { page: "README.md", begins: "npm ci && npm start", why: START },
  { page: "README.md", begins: "export KEY=...", why: "the test sets the three variables" },
  { page: "CONTRIBUTING.md", begins: "npm ci\n", why: SUITE },
  {
    page: "docs/backup.md",
    begins: "POINTKEEPER_DATA_DIR=/var/lib/pointkeeper/restored npx pointkeeper restore /mnt/backups/",
    why: RESTORE,
  },
  {
    page: "docs/backup.md",
    begins: "POINTKEEPER_DATA_DIR=/var/lib/pointkeeper/restored npx pointkeeper restore /mnt/backups --to",
    why: RESTORE,
  },
  { page: "docs/start-engineer.md", begins: "npm ci && npm start", why: START },
  { page: "docs/start-engineer.md", begins: "export KEY=...", why: "the test sets the three variables" },
  {
    page: "docs/start-engineer.md",
    begins: "npx pointkeeper webhooks listen",
    why: "runs until it is interrupted: test/flows/operations/operator-commands.test.ts",
  },
  { page: "docs/start-operator.md", begins: "npm ci && npm start", why: START },
  { page: "docs/api-guide.md", begins: "export KEY=...", why: "the test sets the three variables" },
  { page: "docs/backup.md", begins: "npx pointkeeper move", why: RESTORE },
  {
    page: "docs/backup.md",
    begins: "npx pointkeeper backup s3://",
    why: "needs a bucket: test/flows/backup/backup-bucket.test.ts has one of its own",
  },
  { page: "docs/citus.md", begins: "apt-get install", why: "builds Citus: npm run test:citus runs on one" },
  {
    page: "docs/upgrade.md",
    begins: "git pull && npm ci",
    why: "takes another version out of git: npm run test:install does it in a clone",
  },
  {
    page: "docs/upgrade.md",
    begins: "npm run drill:upgrade",
    why: "installs an older version: the page has its figures",
  },
  { page: "docs/deploy.md", begins: "npm run lint:deploy", why: "runs tools that a clone does not have" },
  { page: "docs/deploy.md", begins: "docker build", why: CONTAINER },
  { page: "docs/deploy.md", begins: "cd deploy", why: CONTAINER },
  { page: "docs/deploy.md", begins: "kubectl create", why: "needs a cluster: test/deploy.test.ts reads the chart" },
  {
    page: "docs/deploy.md",
    begins: "useradd",
    why: "changes the machine: scripts/try-install.ts installs the package elsewhere",
  },
  {
    page: "docs/export-format.md",
    begins: "npx pointkeeper import",
    why: "into a store that is stopped: test/flows/moving-in/store-file-commands.test.ts",
  },
  {
    page: "docs/ledger-proofs.md",
    begins: "curl -u $KEY",
    why: "a proof needs a checkpoint: test/flows/proofs/ledger-proofs.test.ts",
  },
  {
    page: "docs/ledger-proofs.md",
    begins: "npx pointkeeper verify ",
    why: "needs a checkpoint: test/flows/proofs/ledger-proofs.test.ts",
  },
  { page: "docs/operations.md", begins: "POINTKEEPER_DATA_DIR=/var/lib/pointkeeper/store npm start", why: START },
  { page: "docs/reliability.md", begins: "npm run torture", why: "an hour; test/torture tests its parts" },
  {
    page: "docs/reliability.md",
    begins: "npm run drills",
    why: "minutes: test/flows/operations/failover.test.ts and others run its parts",
  },
  { page: "packages/client/README.md", begins: "cd ~/pointkeeper", why: PACKED },
  { page: "packages/client/README.md", begins: "export POINTKEEPER_URL", why: EXAMPLES },
  { page: "packages/python/README.md", begins: "python3 -m venv", why: PACKED },
  { page: "packages/python/README.md", begins: "export POINTKEEPER_URL", why: EXAMPLES },
  { page: "packages/widget/README.md", begins: "cd ~/pointkeeper", why: PACKED },
  { page: "docs/shopify.md", begins: "npx pointkeeper connect", why: SHOPIFY },
  { page: "docs/woocommerce.md", begins: "npx pointkeeper connect", why: WOOCOMMERCE },
];
