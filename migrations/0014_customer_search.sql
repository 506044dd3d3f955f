-- Finding customers as a name is typed, without an extension that an external database may not allow; adjustments that wait for a
-- second person's approval.

-- What is compared: width, case and kana folded, so that "ﾔﾏﾀﾞ", "ヤマダ" and "やまだ" are one.
create function search_fold(value text) returns text
language sql immutable strict parallel safe
return translate(lower(normalize(value, nfkc)),
  'ァアィイゥウェエォオカガキギクグケゲコゴサザシジスズセゼソゾタダチヂッツヅテデトドナニヌネノハバパヒビピフブプヘベペホボポマミムメモャヤュユョヨラリルレロヮワヰヱヲンヴヵヶ',
  'ぁあぃいぅうぇえぉおかがきぎくぐけげこごさざしじすずせぜそぞただちぢっつづてでとどなにぬねのはばぱひびぴふぶぷへべぺほぼぽまみむめもゃやゅゆょよらりるれろゎわゐゑをんゔゕゖ');

-- What of a customer is searched inside: the folded name, the same without the space between its Japanese parts, the e-mail before its
-- "@". These functions call none of ours: maintenance runs them under another search path.
create function search_text(folded text, email text) returns text
language sql immutable parallel safe
return coalesce(folded || ' ' || regexp_replace(folded, '([^\x01-\x7f]) +(?=[^\x01-\x7f])', '\1', 'g') || ' ', '')
  || coalesce(split_part(email, '@', 1), '');

create function search_words(value text) returns text[]
language sql immutable strict parallel safe
return array_remove(regexp_split_to_array(value, '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f・]+'), '');

-- What a customer's text must be like to have every word that was typed. A word has none of the characters that "like" reads.
create function search_patterns(value text) returns text[]
language sql immutable strict parallel safe
return (select coalesce(array_agg('%' || word || '%'), '{}') from unnest(search_words(value)) word);

-- Every two characters in a row, and each word's first one behind a "_": trigrams find nothing under three characters, and a Japanese
-- name often has two.
create function search_grams(value text) returns text[]
language plpgsql immutable strict parallel safe as $$
declare
  grams text[] := '{}';
  word text;
begin
  foreach word in array array_remove(regexp_split_to_array(value, '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f・]+'), '') loop
    grams := grams || ('_' || left(word, 1));
    for n in 1 .. length(word) - 1 loop
      grams := grams || substr(word, n, 2);
    end loop;
  end loop;
  return grams;
end $$;

-- Those that a customer must have to be found by what was typed: one character finds words that begin with it.
create function search_needs(value text) returns text[]
language plpgsql immutable strict parallel safe as $$
declare
  grams text[] := '{}';
  word text;
begin
  foreach word in array array_remove(regexp_split_to_array(value, '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f・]+'), '') loop
    if length(word) = 1 then
      grams := grams || ('_' || word);
    end if;
    for n in 1 .. length(word) - 1 loop
      grams := grams || substr(word, n, 2);
    end loop;
  end loop;
  return grams;
end $$;

create index customer_grams on customer using gin (search_grams(search_text(search_fold(name), email)))
with (gin_pending_list_limit = 256) where deleted_at is null;
create index customer_name_prefix on customer (search_fold(name) text_pattern_ops) where name is not null;
create index customer_email_prefix on customer (email text_pattern_ops) where email is not null;
create index customer_alias_prefix on customer_alias (storefront_id text_pattern_ops);
create index customer_newest on customer (created_at desc, customer_uid desc) where deleted_at is null;

drop index customer_tier_members;                     -- a tier's members, newest customers first
create index customer_tier_members on customer_tier (tier_uid, customer_uid desc);

create table adjustment_request (                     -- an adjustment above the program's limit
  uid uuid primary key,                               -- made by the form that asked: of its allotment's natural key too
  bucket smallint not null,
  customer_uid uuid not null,
  kind text not null check (kind in ('add', 'set', 'undo')),
  point_value bigint not null,                        -- what it came to when it was asked for
  balance bigint check (balance >= 0),                -- of "set"
  undoes uuid,                                        -- of "undo": the allotment
  extends boolean not null default false,
  origin text,
  reason_type text,
  note text,
  requested_by uuid not null,                         -- staff
  requested_name text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,                    -- not approved by then, it is over
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'withdrawn')),
  decided_by uuid,
  decided_name text,
  decided_at timestamptz,
  decision_note text,
  allotment_uid uuid,                                 -- what the approval posted
  check ((kind = 'set') = (balance is not null)),
  check ((kind = 'undo') = (undoes is not null)),
  check ((state = 'waiting') = (decided_at is null)),
  check (state <> 'approved' or decided_by <> requested_by));
create index adjustment_request_waiting on adjustment_request (requested_at desc, uid desc) where state = 'waiting';
create index adjustment_request_decided on adjustment_request (decided_at desc, uid desc) where state <> 'waiting';
create index adjustment_request_customer on adjustment_request (bucket, customer_uid, requested_at);
create index adjustment_request_undoes on adjustment_request (undoes) where state = 'waiting';
create index adjustment_request_allotment on adjustment_request (allotment_uid) where allotment_uid is not null;

-- Who is forgotten is forgotten here too, and again each time: what people wrote of them.
create function forget_adjustment_notes() returns trigger language plpgsql as $$
begin
  update adjustment_request
  set note = null,
    decision_note = null
  where bucket = new.bucket
    and customer_uid = new.customer_uid;
  return null;
end $$;
create trigger customer_forgotten after update on customer
for each row when (new.redacted_at is not null)
execute function forget_adjustment_notes();
