-- What the marketplace last said of collections is part of the treasury's last good reading.
drop table collection_facts;
