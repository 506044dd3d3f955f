import type { FilterBody } from "../../../src/admin/segments/schema.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/page-link.tsx";
import { useFormat } from "../../ui/use-format.ts";

interface MemberCountProps {
  members: number;
  /** What the proposed segment of them is called. */
  name: string;
  filter: FilterBody;
}

/** How many members; for those who may save segments the way to who they are. */
export function MemberCount({ members, name, filter }: MemberCountProps) {
  const format = useFormat();
  const { can } = useSession();
  const text = format.number(members);
  if (members === 0 || !can("segments.change")) return text;
  const asked = Object.entries(filter).map(([key, value]) => [key, String(value)]);
  const search = new URLSearchParams([...asked, ["name", name]]);
  return <PageLink to={`/segments/new?${search}`}>{text}</PageLink>;
}
