-- What is shown of the own collection is counted from its rocks, and the age of the marketplace is that of its last poll.
drop table collection_listed_counts;
alter table collection_facts drop column owner_count;
