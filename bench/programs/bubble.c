/* Bubble sort of a counted list of six ints: the first says how many of the other five are in use.
 * Answers the smallest, or -1 for a list that is empty or whose count is wrong. */

int bubble(int list[6])
{
    int count = list[0];
    int *values = list + 1;
    if (count <= 0 || count > 5)
        return -1;
    for (int last = count - 1; last > 0; last--) {
        for (int i = 0; i < last; i++) {
            if (values[i] > values[i + 1]) {
                int larger = values[i];
                values[i] = values[i + 1];
                values[i + 1] = larger;
            }
        }
    }
    return values[0];
}
