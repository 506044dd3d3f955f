import type { AuditEntry } from "../../../src/admin/audit/schema.ts";
import { useJobName } from "../../words/job-name.ts";
import { useTopicName } from "../../words/topic-name.ts";

/** What an entry is about as people call it; where it has no name, its id. */
export function useSubjectName(): (subject: AuditEntry["subject"]) => string {
  const jobName = useJobName();
  const topicName = useTopicName();
  return ({ kind, id, name }) => {
    if (kind === "job") return jobName(id);
    if (kind === "subscription") return topicName(id);
    return name ?? id;
  };
}
