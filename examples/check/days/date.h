int date_day(int year, int month, int day); /* its number in the year, from 1; 0: there is no such day */
