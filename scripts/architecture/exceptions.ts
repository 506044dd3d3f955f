import type { Exception } from "./source.ts";

/** The exceptions and their reasons; `npm run check` counts them. */
export const EXCEPTIONS: readonly Exception[] = [
  {
    rule: "noun-purity",
    path: "src/checkpoints/create-facts-hasher.ts",
    reason: "computes on a thread and nothing else: it has no deps, and each pass has a hasher of its own",
  },
  {
    rule: "noun-purity",
    path: "src/checkpoints/facts-hasher-thread.ts",
    reason: "the code of a thread, which is given pieces and returns hashes",
  },
  {
    rule: "table-owner",
    path: "src/db/citus/routing-schema.ts",
    reason: "the copy of the sources at --distribute, and a write of no rows that makes Citus prepare",
  },
  {
    rule: "dashboard-format",
    path: "dashboard/pages/program/zone-time.ts",
    reason: "reads the parts of a time to compute with them, and shows none",
  },
  {
    rule: "machine-clock",
    path: "src/alerts/health-queries.ts",
    reason: "whether a job is late or its process died is about machines, not the store's time",
  },
  {
    rule: "noun-purity",
    path: "src/actor.ts",
    reason: "who acts follows the asynchronous calls of a request: that is what AsyncLocalStorage is",
  },
  {
    rule: "machine-clock",
    path: "migrations/0013_staff.sql",
    reason: "when an entry was written on this machine stands beside the business time",
  },
  {
    rule: "noun-purity",
    path: "src/staff/passwords/derive-hash.ts",
    reason: "the hashes of a process take turns, whoever asks for them: what would be its deps is the process",
  },
  {
    rule: "incomplete-list",
    path: "src/jobs/schedule.ts",
    reason: "http is machinery and has no verbs by name; pruning idempotency keys is its one chore",
  },
  { rule: "table-owner", path: "src/backup/load-rows.ts", reason: "fills every table of a database that was empty" },
  { rule: "table-owner", path: "src/backup/row-source.ts", reason: "the statement that copies a table out or in" },
  {
    rule: "table-owner",
    path: "src/backup/restore-store.ts",
    reason: "removes the plans of a store that was just restored and has no worker",
  },
  { rule: "table-owner", path: "src/backup/load-store-lines.ts", reason: "empties every table of a store that is new" },
  {
    rule: "table-owner",
    path: "src/backup/store-lines.ts",
    reason: "the statement that fills any table of a new store",
  },
  {
    rule: "machine-clock",
    path: "src/alerts/alert-queries.ts",
    reason: "what fails is about machines; the sandbox clock may stand still",
  },
  {
    rule: "machine-clock",
    path: "src/messages/message-queries.ts",
    reason: "how many mails an hour the mail server takes is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/mail/mail-queries.ts",
    reason: "when the mail server took a mail is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/mail/prune-mails.ts",
    reason: "how long the log of mails is kept is about machines",
  },
  ...["confirm-by-identity", "confirm-session", "read-confirmed-until", "start-session"].map((file) => ({
    rule: "machine-clock",
    path: `src/staff/sessions/${file}.ts`,
    reason: "how long a confirmation counts is a timeout that all nodes must agree on, whatever their clocks say",
  })),
  { rule: "machine-clock", path: "src/backup/backup-queries.ts", reason: "when a backup ran is about machines" },
  {
    rule: "machine-clock",
    path: "src/db/read-latest-now.ts",
    reason: "whether a stored time is of a clock that was ahead is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/ledger/settled-mark/publish-watermark.ts",
    reason: "whether the clock of a node is ahead is about machines; the sandbox's counts too",
  },
  {
    rule: "machine-clock",
    path: "src/http/idempotency/idempotency.ts",
    reason: "how long a key counts is a timeout that all nodes must agree on, whatever their clocks say",
  },
  {
    rule: "machine-clock",
    path: "src/admin/jobs/queries.ts",
    reason: "how long a run took, when its pause ends and when a run was asked for are about machines",
  },
  {
    rule: "machine-clock",
    path: "src/commands/doctor/database-checks.ts",
    reason: "whether the clocks of two machines agree is what is asked",
  },
  {
    rule: "machine-clock",
    path: "src/commands/doctor/store-checks.ts",
    reason: "whether a worker lives and a delivery is late is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/commands/tail-queries.ts",
    reason: "how far rows have settled is about transactions, not the store's time",
  },
  {
    rule: "machine-clock",
    path: "src/jobs/job-queries.ts",
    reason: "leases, pauses and lengths of runs are about machines; what is due comes from the clock",
  },
  {
    rule: "noun-purity",
    path: "src/points/posted-view.ts",
    reason: "a refusal is rendered as the error handler renders it, which also knows database errors",
  },
  {
    rule: "machine-clock",
    path: "src/intake/receipt-queries.ts",
    reason: "leases and retries of receipts are about crashes, not the store's time",
  },
  {
    rule: "machine-clock",
    path: "src/intake/read-backlog.ts",
    reason: "how long receipts have waited and how fast they are processed is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/intake/record-pace.ts",
    reason: "how fast a worker is by the machine's minutes",
  },
  {
    rule: "machine-clock",
    path: "src/prometheus/store-queries.ts",
    reason: "how long events and jobs have waited on machines",
  },
  {
    rule: "machine-clock",
    path: "migrations/0005_intake.sql",
    reason: "when a receipt came in on this machine; bodies are dropped by machine days",
  },
  {
    rule: "machine-clock",
    path: "src/webhooks/prune-webhook-log.ts",
    reason: "the log of attempts is pruned by machine days",
  },
  {
    rule: "noun-purity",
    path: "src/ledger/queue/posting-queue.ts",
    reason: "the queue is the one piece of the ledger with a state in memory: what waits for its batch",
  },
  {
    rule: "noun-calls-verb",
    path: "src/ledger/queue/posting-queue.ts",
    reason: "it runs its batches",
  },
  {
    rule: "machine-clock",
    path: "src/db/replica.ts",
    reason: "which processes are gone is about machines; what a replica has is told by a process's own clock",
  },
  {
    rule: "machine-clock",
    path: "src/db/lease.ts",
    reason: "leases are about crashes, not the store's time",
  },
  {
    rule: "class",
    path: "src/platforms/json-source.ts",
    reason: "the digits of a number need a mark that no field of a body can imitate: instanceof",
  },
  {
    rule: "machine-clock",
    path: "src/metrics/customer-queries.ts",
    reason: "the pause after a look at a large balance is about the machine's work, not the store's time",
  },
  {
    rule: "noun-purity",
    path: "src/checkpoints/checkpoint-files.ts",
    reason: "reads and writes the files of checkpoints, of a folder that the settings or a command name",
  },
  {
    rule: "machine-clock",
    path: "src/checkpoints/self-check-queries.ts",
    reason: "when a slice of the ledger was checked, and by which node next, is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/db/watch-blockers.ts",
    reason: "how long another session's transaction has been open is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/db/migrate.ts",
    reason: "when a migration ran on this machine is no business time",
  },
  {
    rule: "machine-clock",
    path: "migrations/0039_event_batches.sql",
    reason: "the log of attempts is pruned by machine days; no customer sees these columns",
  },
  {
    rule: "machine-clock",
    path: "migrations/0044_topic_stream.sql",
    reason: "the log of attempts is pruned by machine days; no customer sees these columns",
  },
  {
    rule: "machine-clock",
    path: "migrations/0003_webhooks.sql",
    reason: "the log of attempts is pruned by machine days; no customer sees these columns",
  },
  {
    rule: "machine-clock",
    path: "src/credentials/create-request-log.ts",
    reason: "when a request was answered is about machines; the sandbox clock may stand still",
  },
  {
    rule: "machine-clock",
    path: "src/credentials/prune-requests.ts",
    reason: "how long the request log is kept is about machines",
  },
  {
    rule: "noun-purity",
    path: "src/admin/theme/clean-png.ts",
    reason: "of node:zlib only a checksum and the unpacking of a small picture in memory",
  },
  {
    rule: "noun-purity",
    path: "src/credentials/secret-box.ts",
    reason: "each sealed text needs a nonce of its own; made once at the start and handed on in deps",
  },
  {
    rule: "noun-purity",
    path: "src/credentials/secret-key-file.ts",
    reason: "runs before there are deps: reads and writes the key's file in the data folder",
  },
  {
    rule: "noun-purity",
    path: "src/program/program-cache.ts",
    reason: "a cache of versions, which never change once they are written",
  },
  {
    rule: "machine-clock",
    path: "src/mail/mail-queries.ts",
    reason: "when the mail server took a mail is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/mail/prune-mails.ts",
    reason: "how long the log of mails is kept is about machines",
  },
  {
    rule: "machine-clock",
    path: "src/staff/provider/identity-queries.ts",
    reason: "a challenge ends by the clock of the machine",
  },
];
