-- A page with fewer rows than were asked for was taken for the end of the past. It is read on from where it stood; what is there already stays.
update rock_readings set is_history_complete = false;
