-- A file counts once for each thing that it is used for: one with history and orders is used for both. A file of another app's members
-- brings points and what was spent, so it shares its content with no file of either.

drop index import_content;
create unique index import_content on import (kind, content_sha256)   -- customers that are in may come again: they are the same again
where state in ('uploaded', 'checking', 'checked', 'importing', 'undoing')
  or (state = 'imported' and kind <> 'customers');
create unique index import_content_points on import (content_sha256)
where kind in ('points', 'move') and state in ('uploaded', 'checking', 'checked', 'importing', 'imported', 'undoing');
create unique index import_content_spend on import (content_sha256)
where kind in ('spend', 'move') and state in ('uploaded', 'checking', 'checked', 'importing', 'imported', 'undoing');

-- The page of a customer who is to become part of another one shows that it waits.

create index adjustment_request_removed on adjustment_request (removed_uid) where state = 'waiting' and removed_uid is not null;
