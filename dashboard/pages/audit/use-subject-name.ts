import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { useJobName } from "../../words/job-name.ts";
import { nameOf } from "../../words/name-of.ts";
import { useTopicName } from "../../words/topic-name.ts";
import { useWords } from "../../words/use-words.ts";
import { auditListNames } from "./list-names.ts";
import { valueText } from "./value-text.ts";
import { words } from "./words.ts";

/** Returns the name of an entry's subject, or its id if it has no name. */
export function useSubjectName(): (subject: AuditEntry["subject"]) => string {
  const jobName = useJobName();
  const topicName = useTopicName();
  const format = useFormat();
  const t = useWords(words);
  const lists = useWords(auditListNames);
  return ({ kind, id, name }) => {
    if (kind === "job") return jobName(id);
    if (kind === "subscription") return topicName(id);
    if (kind === "list") return nameOf(lists, id);
    if (kind === "message") return nameOf(t.messages, id);
    if (kind === "api_secret_key") return nameOf(t.secretKeys, id);
    return valueText(name ?? id, format);
  };
}
