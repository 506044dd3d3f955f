import type { FilterBody } from "../../../src/admin/segments/schema.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { useFormat } from "../../ui/values/use-format.ts";

interface MemberCountProps {
  members: number;
  /** The suggested name of a segment of them. */
  name: string;
  filter: FilterBody;
}

/** A number of members, with a link to the list for people who may save segments. */
export function MemberCount({ members, name, filter }: MemberCountProps) {
  const format = useFormat();
  const { can } = useSession();
  const text = format.number(members);
  if (members === 0 || !can("segments.change")) return text;
  const asked = Object.entries(filter).map(([key, value]) => [key, String(value)]);
  const search = new URLSearchParams([...asked, ["name", name]]);
  return <PageLink to={`/segments/new?${search}`}>{text}</PageLink>;
}
