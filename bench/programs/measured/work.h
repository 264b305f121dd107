/* What each program of this folder does: the same work every time, so many rounds of it; the answer is a checksum. */
unsigned work(unsigned rounds);
